export { managesPupil } from './classes.access.ts';
export { hasClass, insertClass, listClasses } from './classes.queries.ts';
