export { recordDevice } from './devices.service.ts';
