export {
  canChangePupil,
  canReadClassDetails,
  canSeeClass,
  detailScope,
  isCovered,
  ownClassIds,
} from './class-rights.access.ts';
export {
  addClassTeachers,
  joinClasses,
  listTeacherIds,
  lockOwnClasses,
  removeFromAllClasses,
  restoreTeacherRules,
  updateFirstTeachers,
} from './class-teachers.queries.ts';
export { addToDeletedClasses, deleteClass } from './deleted-classes.queries.ts';
export { restoreDeletedClass } from './deleted-classes.service.ts';
export {
  canAssignBooks,
  getClass,
  getClassForBooks,
  getClassToChange,
  getClassWithDetails,
  lockClassForBooks,
  lockClassToChange,
  lockClassToEditPupils,
} from './classes.access.ts';
export {
  classKey,
  classRowsByName,
  deleteUnusedClasses,
  insertClass,
  listClasses,
  listClassPupils,
  renameClasses,
  teachersOf,
  toClass,
  toClasses,
} from './classes.queries.ts';
