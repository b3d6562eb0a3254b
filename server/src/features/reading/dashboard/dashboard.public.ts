export { bucketOf, bucketsOf, bucketWidth } from './buckets.service.ts';
export { type LevelTotals, listLevelTotals } from './accuracy.queries.ts';
export { findCurrentLevel, measureAccuracy } from './accuracy.service.ts';
export { isOnDays, pupilCondition, type Selection } from './charts.queries.ts';
export { resolveDateRange } from './date-range.service.ts';
