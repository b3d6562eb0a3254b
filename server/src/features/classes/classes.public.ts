export { managesPupil } from './classes.access.ts';
export { hasClass, listClasses } from './classes.queries.ts';
