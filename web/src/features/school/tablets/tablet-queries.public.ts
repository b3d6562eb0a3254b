export { tabletsQuery } from './tablets.api.ts';
