export { coversQuery } from './covers.api.ts';
