import { addDays, dayIn } from '../../../clock.ts';
import { fieldError } from '../../../errors.ts';

/** Days of a chart, `YYYY-MM-DD`, both included. */
export interface DateRange {
  from: string;
  to: string;
}

/**
 * Converts a requested range to days in the school's time zone. A timestamp counts as the day on which it falls there.
 * Throws a field error when the range is reversed or in the future.
 * @returns the `requested` days, and those `shown`, which end today at the latest
 */
export function resolveDateRange(
  timeZone: string,
  { start_date, end_date }: { start_date: string; end_date: string },
  now: Date,
): { requested: DateRange; shown: DateRange } {
  const toDay = (date: string) => (date.length === 10 ? date : dayIn(timeZone, new Date(date)));
  const today = dayIn(timeZone, now);
  const [from, to] = [toDay(start_date), toDay(end_date)];
  if (from > to) throw fieldError('end_date', 'The end date must be on or after the start date.');
  if (from > today) throw fieldError('start_date', 'The start date must be today or in the past.');
  // In a client's time zone today may already be tomorrow; anything later is a mistake.
  if (to > addDays(today, 1)) throw fieldError('end_date', 'The end date must be today or in the past.');
  return { requested: { from, to }, shown: { from, to: to < today ? to : today } };
}
