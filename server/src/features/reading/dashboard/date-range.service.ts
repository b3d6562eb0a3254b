import { type Days, mondayOf } from '#contract/school-calendar.ts';
import { addDays, addMonths, dayIn } from '../../../clock.ts';
import { fieldError } from '../../../errors.ts';

/**
 * Converts a requested range to days in the school's time zone. A timestamp counts as the day on which it falls there.
 * Throws a field error when the range is reversed or in the future.
 * @returns the `requested` days, and those `shown`, which end today at the latest
 */
export function resolveDateRange(
  timeZone: string,
  { start_date, end_date }: { start_date: string; end_date: string },
  now: Date,
): { requested: Days; shown: Days } {
  const toDay = (date: string) => (date.length === 10 ? date : dayIn(timeZone, new Date(date)));
  const today = dayIn(timeZone, now);
  const [from, to] = [toDay(start_date), toDay(end_date)];
  if (from > to) throw fieldError('end_date', 'The end date must be on or after the start date.');
  if (from > today) throw fieldError('start_date', 'The start date must be today or in the past.');
  // In a client's time zone today may already be tomorrow; anything later is a mistake.
  if (to > addDays(today, 1)) throw fieldError('end_date', 'The end date must be today or in the past.');
  return { requested: { from, to }, shown: { from, to: to < today ? to : today } };
}

/** The width of the buckets of a chart over time. */
export type Bucket = 'day' | 'week' | 'month';

/** The widest ranges shown by day and by week. */
const MAX_DAYS_BY_DAY = 31;
const MAX_DAYS_BY_WEEK = 26 * 7;

/** The width for a range of days, both ends included. */
export function bucketWidth(from: string, to: string): Bucket {
  if (to < addDays(from, MAX_DAYS_BY_DAY)) return 'day';
  return to < addDays(from, MAX_DAYS_BY_WEEK) ? 'week' : 'month';
}

/** The first day of a day's bucket: the day itself, its Monday, or the first of its month. */
export function bucketOf(bucket: Bucket, day: string): string {
  if (bucket === 'day') return day;
  return bucket === 'week' ? mondayOf(day) : `${day.slice(0, 8)}01`;
}

/** The first days of all buckets that touch a range, in order. */
export function bucketsOf(bucket: Bucket, from: string, to: string): string[] {
  const next = (day: string) => (bucket === 'month' ? addMonths(day, 1) : addDays(day, bucket === 'week' ? 7 : 1));
  const buckets: string[] = [];
  for (let day = bucketOf(bucket, from); day <= to; day = next(day)) buckets.push(day);
  return buckets;
}
