export { managesPupil, ownClassIds } from './classes.access.ts';
export { addTeachers, joinClasses, removeFromAllClasses, settleTeachers } from './class-teachers.queries.ts';
export { getClass, getOwnClass } from './own-class.access.ts';
export { classKey, insertClass, listClasses, listClassPupils } from './classes.queries.ts';
