export { ClassTablets } from './components/ClassTablets.tsx';
