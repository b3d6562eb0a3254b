export { managesPupil } from './classes.access.ts';
export { getClass, getOwnClass } from './own-class.access.ts';
export { classKey, insertClass, listClasses } from './classes.queries.ts';
