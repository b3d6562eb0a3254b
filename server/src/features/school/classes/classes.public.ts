export { managesClass, managesPupil, ownClassIds } from './classes.access.ts';
export { addTeachers, joinClasses, removeFromAllClasses, settleTeachers } from './class-teachers.queries.ts';
export { addToDeletedClasses } from './deleted-classes.queries.ts';
export { getClass, getManagedClass, getOwnClass, getTaughtClass } from './own-class.access.ts';
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
