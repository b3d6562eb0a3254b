export { assertCapacity, getCapacity } from './capacity.service.ts';
export { setClassOfEachPupil, setClassOfPupils } from './class-membership.queries.ts';
export { getPupil, getPupils, getPupilsForBooks, getPupilsForLogins, getPupilsToEdit } from './pupils.access.ts';
export { canSeePupil, helpedPupilIds } from './pupil-rights.access.ts';
export { removeFromAllPupils } from './pupil-assistants.queries.ts';
export { canReadDetails, getPupilsWithDetails, getPupilWithDetails } from './pupil-notes.access.ts';
export { changeTags, listTags, listTagsWithPupils, lockTags } from './pupil-tags.queries.ts';
export {
  listPupils,
  listPupilsWithClass,
  nameKey,
  removePupilSessions,
  renamePupils,
  toPupil,
  toPupilFilter,
} from './pupils.queries.ts';
export { canSeeRun } from './run-rights.access.ts';
export {
  changeYearGroupsOfClasses,
  saveYearGroups,
  type StatedYearGroup,
  updateYearGroups,
} from './year-groups.queries.ts';
