export { bucketOf, bucketsOf, bucketWidth } from './buckets.service.ts';
export { pupilCondition, type Selection } from './charts.queries.ts';
export { resolveDateRange } from './date-range.service.ts';
