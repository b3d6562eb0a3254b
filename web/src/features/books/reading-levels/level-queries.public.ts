export { readingLevelsQuery } from './reading-levels.api.ts';
