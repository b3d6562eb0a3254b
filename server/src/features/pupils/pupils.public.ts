export { placePupils, removePupilSessions } from './class-membership.queries.ts';
export { getOwnPupils, getPupil } from './pupils.access.ts';
export { insertPupils, listPupilsWithClass, nameKey } from './pupils.queries.ts';
