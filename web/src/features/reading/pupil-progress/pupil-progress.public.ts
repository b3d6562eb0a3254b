export { ReadingFigures } from './components/ReadingFigures.tsx';
export { SessionsTable } from './components/SessionsTable.tsx';
