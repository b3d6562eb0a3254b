export { getPupil } from './pupils.access.ts';
export { listRoll, nameKey } from './pupils.queries.ts';
