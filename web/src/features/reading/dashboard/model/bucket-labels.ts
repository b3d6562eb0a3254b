import {
  formatDate,
  formatDayAndMonth,
  formatDayOfYear,
  formatMonth,
  formatShortMonth,
  formatWeekday,
} from '../../../../shared/format.ts';

export type Bucket = 'day' | 'week' | 'month';

/** The width of a label on the axis. */
const LABEL_PX = 62;

/** A bucket on the axis: `3 Nov`, or `Nov 2026` for a month. */
export const shortBucket = (bucket: Bucket, day: string): string =>
  bucket === 'month' ? formatShortMonth(day) : formatDayAndMonth(day);

/** A bucket in full: `Tuesday 3 November 2026`, `Week from 2 November 2026`, `November 2026`. */
export function fullBucket(bucket: Bucket, day: string): string {
  if (bucket === 'month') return formatMonth(day);
  return bucket === 'week' ? `Week from ${formatDate(day)}` : `${formatWeekday(day)} ${formatDate(day)}`;
}

/** A bucket as the header of a row: `Tuesday 3 November`, `From 2 November`, with the year if the rows cover several. */
export function rowBucket(bucket: Bucket, day: string, withYear: boolean): string {
  if (bucket === 'month') return formatMonth(day);
  const date = withYear ? formatDate(day) : formatDayOfYear(day);
  return bucket === 'week' ? `From ${date}` : `${formatWeekday(day)} ${date}`;
}

/** The labels that fit: evenly spaced, and always including the latest. */
export function labelsWithRoom(labels: readonly string[], width: number): string[] {
  const step = Math.max(1, Math.ceil(labels.length / Math.max(1, Math.floor(width / LABEL_PX))));
  return labels.filter((_, index) => (labels.length - 1 - index) % step === 0);
}
