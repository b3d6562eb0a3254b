export { recordChange } from './audit.queries.ts';
export { getTimeZone } from './school.queries.ts';
