export { DeletedClasses } from './components/DeletedClasses.tsx';
export { deletedClassesQuery } from './deleted-classes.api.ts';
