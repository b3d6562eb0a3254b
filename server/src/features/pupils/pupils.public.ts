export { getPupil } from './pupils.access.ts';
export { insertPupils, listClassPupils, listRoll } from './pupils.queries.ts';
