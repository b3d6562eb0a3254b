export { getPupil } from './pupils.access.ts';
export { insertPupils, listRoll, type NewPupil, nameKey } from './pupils.queries.ts';
