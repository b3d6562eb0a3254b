import { addDays, dayIn } from '../../clock.ts';
import { fieldError } from '../../http/errors.ts';

/** Days of a chart, `YYYY-MM-DD`, both included. */
export interface DateRange {
  from: string;
  to: string;
}

/**
 * The days that a client asks for, in the school's time zone. A timestamp counts as the day on which it falls there.
 * Throws a field error when they are reversed or lie in the future.
 * @returns `asked`: the days as asked for; `shown`: the same until today
 */
export function resolveDateRange(
  timeZone: string,
  { start_date, end_date }: { start_date: string; end_date: string },
  now: Date,
): { asked: DateRange; shown: DateRange } {
  const toDay = (date: string) => (date.length === 10 ? date : dayIn(timeZone, new Date(date)));
  const today = dayIn(timeZone, now);
  const [from, to] = [toDay(start_date), toDay(end_date)];
  if (from > to) throw fieldError('end_date', 'The end date lies before the start date.');
  if (from > today) throw fieldError('start_date', 'The start date lies in the future.');
  // The end of a client's today may be tomorrow here; what lies beyond that is a mistake.
  if (to > addDays(today, 1)) throw fieldError('end_date', 'The end date lies in the future.');
  return { asked: { from, to }, shown: { from, to: to < today ? to : today } };
}
