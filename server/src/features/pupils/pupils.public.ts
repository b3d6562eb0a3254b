export { assertCapacity, getCapacity } from './capacity.service.ts';
export {
  addToSchoolTotals,
  placeEach,
  placePupils,
  removePupilSessions,
  subtractFromSchoolTotals,
} from './class-membership.queries.ts';
export { getOwnPupil, getOwnPupils, getPupil, getPupils } from './pupils.access.ts';
export { insertPupils, listPupilsWithClass, nameKey } from './pupils.queries.ts';
