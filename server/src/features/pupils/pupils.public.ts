export { getPupil } from './pupils.access.ts';
export { insertPupils, listClassPupils, listRoll, type NewPupil, nameKey } from './pupils.queries.ts';
