export { ReadingHours } from './components/ReadingHours.tsx';
