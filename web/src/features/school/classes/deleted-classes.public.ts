export { DeletedClasses } from './components/DeletedClasses.tsx';
export { deletedClassesQuery } from './classes.api.ts';
