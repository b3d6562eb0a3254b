import { addDays, DAY_MS } from '../../../clock.ts';

/** The width of the buckets of a chart over time. */
export type Bucket = 'day' | 'week' | 'month';

/** The widest ranges shown by day and by week. */
const MAX_DAYS_BY_DAY = 31;
const MAX_DAYS_BY_WEEK = 26 * 7;

const time = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The width for a range of days, both ends included. */
export function bucketWidth(from: string, to: string): Bucket {
  const days = (time(to) - time(from)) / DAY_MS + 1;
  return days <= MAX_DAYS_BY_DAY ? 'day' : days <= MAX_DAYS_BY_WEEK ? 'week' : 'month';
}

/** The first day of a day's bucket: the day itself, its Monday, or the first of its month. */
export function bucketOf(bucket: Bucket, day: string): string {
  if (bucket === 'day') return day;
  if (bucket === 'month') return `${day.slice(0, 8)}01`;
  return addDays(day, -((new Date(time(day)).getUTCDay() + 6) % 7));
}

/** The first days of all buckets that touch a range, in order. */
export function bucketsOf(bucket: Bucket, from: string, to: string): string[] {
  const buckets: string[] = [];
  for (let day = bucketOf(bucket, from); day <= to; day = next(bucket, day)) buckets.push(day);
  return buckets;
}

function next(bucket: Bucket, day: string): string {
  if (bucket !== 'month') return addDays(day, bucket === 'week' ? 7 : 1);
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}
