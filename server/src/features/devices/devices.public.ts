export { forgetAllDevices } from './devices.queries.ts';
export { recordDevice } from './devices.service.ts';
