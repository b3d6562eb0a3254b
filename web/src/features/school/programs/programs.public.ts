export { Programs } from './components/Programs.tsx';
