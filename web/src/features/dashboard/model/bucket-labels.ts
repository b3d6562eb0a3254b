import { formatDate } from '../../../shared/format.ts';

export type Bucket = 'day' | 'week' | 'month';

/** Room that a label on the axis needs. */
const LABEL_PX = 62;

const dated = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (day: string) => format.format(new Date(`${day}T00:00:00Z`));
};
const dayAndMonth = dated({ day: 'numeric', month: 'short' });
const monthAndYear = dated({ month: 'short', year: 'numeric' });
const monthInFull = dated({ month: 'long', year: 'numeric' });
const weekday = dated({ weekday: 'long' });
const shortWeekday = dated({ weekday: 'short' });
const shortDay = dated({ day: 'numeric', month: 'short', year: 'numeric' });

/** A bucket on the axis: `3 Nov`, or `Nov 2026` for a month. */
export const shortBucket = (bucket: Bucket, day: string): string =>
  bucket === 'month' ? monthAndYear(day) : dayAndMonth(day);

/** A bucket in full: `Tuesday 3 November 2026`, `Week from 2 November 2026`, `November 2026`. */
export function fullBucket(bucket: Bucket, day: string): string {
  if (bucket === 'month') return monthInFull(day);
  return bucket === 'week' ? `Week from ${formatDate(day)}` : `${weekday(day)} ${formatDate(day)}`;
}

/** A bucket as the head of a row: `Tue 3 Nov 2026`. */
export const rowBucket = (bucket: Bucket, day: string): string =>
  bucket === 'day'
    ? `${shortWeekday(day)} ${shortDay(day)}`
    : bucket === 'week'
      ? `From ${shortDay(day)}`
      : monthInFull(day);

/** The labels that are written out where not all have room: evenly apart, the latest always among them. */
export function labelsWithRoom(labels: readonly string[], width: number): string[] {
  const step = Math.max(1, Math.ceil(labels.length / Math.max(1, Math.floor(width / LABEL_PX))));
  return labels.filter((_, index) => (labels.length - 1 - index) % step === 0);
}
