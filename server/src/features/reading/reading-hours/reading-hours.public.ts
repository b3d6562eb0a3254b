export { sumReadingHours } from './reading-hours.queries.ts';
