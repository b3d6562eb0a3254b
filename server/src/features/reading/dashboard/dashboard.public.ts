export { findCurrentLevel, measureAccuracy } from './accuracy.service.ts';
export { type LevelTotals, listLevelTotals } from './charts.queries.ts';
export { bucketOf, bucketsOf, bucketWidth, resolveDateRange } from './date-range.service.ts';
export {
  getSelection,
  getSelectionWithDetails,
  hasBegunOnDays,
  isOnDays,
  pupilCondition,
  type ClassSelection,
  type Selection,
} from './selection.access.ts';
