export { ReadingLine } from './components/ReadingLine.tsx';
