export { placePupils, removePupilSessions } from './class-membership.queries.ts';
export { getOwnPupils, getPupil } from './pupils.access.ts';
export { insertPupils, listClassPupils, listPupilsWithClass, nameKey } from './pupils.queries.ts';
