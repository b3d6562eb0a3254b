export { recordDevice, trustDevice } from './devices.service.ts';
