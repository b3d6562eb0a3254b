export { listReadingLevels, updateReadingLevel } from './reading-levels.queries.ts';
