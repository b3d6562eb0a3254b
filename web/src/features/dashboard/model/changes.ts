import type { Comparison } from '#contract/calls/charts.ts';
import { count, formatDayOfYear } from '../../../shared/format.ts';
import { changeInWords, type Measure } from './measures.ts';

/** How the average of a chart has changed: `+12 min a pupil`; null where nothing is said. */
export function averageChange(measure: Measure, comparison: Comparison): string | null {
  if (measure === 'accuracy') return comparison.accuracy === null ? null : changeInWords(measure, comparison.accuracy);
  const change = changeInWords(
    measure,
    measure === 'time' ? comparison.average_reading_time : comparison.average_books_completed,
  );
  return change === 'no change' ? change : `${change} a pupil`;
}

/** How the total of a chart has changed: `+5 h 12 min`. */
export const totalChange = (measure: Measure, { reading_time, books_completed }: Comparison): string =>
  changeInWords(measure, measure === 'time' ? reading_time : books_completed);

const days = ({ start_date, end_date }: Comparison): string =>
  start_date === end_date
    ? formatDayOfYear(start_date)
    : `${formatDayOfYear(start_date)} to ${formatDayOfYear(end_date)}`;

/** What figures are compared with: `Compared with the 5 school days before (9 November to 15 November), without today`. */
export function comparedWith(comparison: Comparison, rangeEnd: string): string {
  const before =
    comparison.school_days === 1
      ? 'the school day before'
      : `the ${count(comparison.school_days, 'school day')} before`;
  return `Compared with ${before} (${days(comparison)})${comparison.until < rangeEnd ? ', without today' : ''}`;
}
