export { bucketOf } from './buckets.service.ts';
