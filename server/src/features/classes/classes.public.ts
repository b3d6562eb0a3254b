export { managesPupil } from './classes.access.ts';
export { getClass, getOwnClass } from './own-class.access.ts';
export { classKey, insertClass, listClasses, listClassPupils } from './classes.queries.ts';
