export { managesPupil } from './classes.access.ts';
export { getClass, getOwnClass } from './own-class.access.ts';
export { classKey, insertClass, listClasses, listClassPupils, takeFreeClasses } from './classes.queries.ts';
