export { ClassNotFound } from './components/ClassNotFound.tsx';
