export { readingLineQuery, weekInUrl } from './class-reading.api.ts';
export { ReadingLine } from './components/ReadingLine.tsx';
