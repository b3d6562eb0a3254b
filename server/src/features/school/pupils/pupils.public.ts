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
export { changeTags, listTags, listTagsWithPupils, lockTags } from './pupil-tags.queries.ts';
export { listPupils, listPupilsWithClass, nameKey, toPupil, toPupilFilter } from './pupils.queries.ts';
export {
  changeYearGroupsOfClasses,
  saveYearGroups,
  type StatedYearGroup,
  updateYearGroups,
} from './year-groups.queries.ts';
