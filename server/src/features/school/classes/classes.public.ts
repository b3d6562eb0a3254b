export { canChangeClass, canChangePupil, ownClassIds } from './class-rights.access.ts';
export { addClassTeachers, joinClasses, removeFromAllClasses, updateFirstTeachers } from './class-teachers.queries.ts';
export { addToDeletedClasses, deleteClass } from './deleted-classes.queries.ts';
export { restoreDeletedClass } from './deleted-classes.service.ts';
export { getClass, getClassToChange, getClassWithDetails, lockClassToChange } from './classes.access.ts';
export {
  classKey,
  classRowsByName,
  deleteUnusedClasses,
  insertClass,
  listClasses,
  listClassPupils,
  renameClasses,
  teachersOf,
  toClasses,
} from './classes.queries.ts';
