export { assertCapacity, getCapacity } from './capacity.service.ts';
export {
  addToSchoolTotals,
  placeEach,
  placePupils,
  removePupilSessions,
  subtractFromSchoolTotals,
} from './class-membership.queries.ts';
export { canReadDetails, getOwnPupils, getPupil, getPupils, getPupilWithDetails } from './pupils.access.ts';
export { filterOf } from './pupil-filter.service.ts';
export { countPupils, listPupils, listPupilsWithClass, nameKey } from './pupils.queries.ts';
