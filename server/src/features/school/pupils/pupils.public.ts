export { assertCapacity, getCapacity } from './capacity.service.ts';
export {
  addToSchoolTotals,
  setClassOfEachPupil,
  setClassOfPupils,
  removePupilSessions,
  subtractFromSchoolTotals,
} from './class-membership.queries.ts';
export {
  canReadDetails,
  getPupil,
  getPupils,
  getPupilsToChange,
  getPupilsWithDetails,
  getPupilWithDetails,
} from './pupils.access.ts';
export { toPupilFilter } from './pupil-filter.service.ts';
export { changeTags, listTags, listTagsWithPupils, lockTags } from './pupil-tags.queries.ts';
export {
  changeYearGroupsOfClasses,
  listPupils,
  listPupilsWithClass,
  nameKey,
  saveYearGroups,
  type StatedYearGroup,
  toPupil,
  updateYearGroups,
} from './pupils.queries.ts';
