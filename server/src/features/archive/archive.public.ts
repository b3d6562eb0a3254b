export { restore } from './archive.service.ts';
