export { readingLineQuery, weekInUrl } from './class-reading.api.ts';
