export { BookBand } from './components/BookBand.tsx';
export { LevelAges } from './components/LevelAges.tsx';
export { levelsForOperatorsQuery, useLevelName, useUpdateReadingLevel } from './reading-levels.api.ts';
