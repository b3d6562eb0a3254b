export { canChangeClass, canChangePupil, ownClassIds } from './class-rights.access.ts';
export { addClassTeachers, joinClasses, removeFromAllClasses, promoteNextTeachers } from './class-teachers.queries.ts';
export { addToDeletedClasses } from './deleted-classes.queries.ts';
export { getClass, getClassToChange, getClassWithDetails, lockClassToChange } from './classes.access.ts';
export {
  classKey,
  classRowsByName,
  insertClass,
  listClasses,
  listClassPupils,
  renameClasses,
  teachersOf,
  toClasses,
} from './classes.queries.ts';
