export { PupilNotFound } from './components/PupilNotFound.tsx';
