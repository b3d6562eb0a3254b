export { archive, restore } from './archive.service.ts';
