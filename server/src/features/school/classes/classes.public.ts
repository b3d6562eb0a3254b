export { canChangeClass, canChangePupil, ownClassIds } from './classes.access.ts';
export { addTeachers, joinClasses, removeFromAllClasses, settleTeachers } from './class-teachers.queries.ts';
export { addToDeletedClasses } from './deleted-classes.queries.ts';
export { getClass, getClassToChange, getClassWithDetails, lockClassToChange } from './own-class.access.ts';
export {
  classKey,
  classRowsByName,
  insertClass,
  listClasses,
  listClassPupils,
  teachersOf,
  toClasses,
} from './classes.queries.ts';
