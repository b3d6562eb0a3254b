import type { Comparison } from '#contract/calls/charts.ts';
import { count, formatDayOfYear } from '../../../../shared/format.ts';
import { formatChange, type Measure } from './measures.ts';

/** How the average of a chart has changed: `+12 min a pupil`. Null if there is nothing to compare. */
export function averageChange(measure: Measure, comparison: Comparison): string | null {
  const change = measure.averageChange?.(comparison) ?? null;
  if (change === null) return null;
  const text = formatChange(measure, change);
  return text === 'no change' ? text : text + measure.averageUnit;
}

/** How the total of a chart has changed: `+5 h 12 min`. */
export const totalChange = (measure: Measure, comparison: Comparison): string | null =>
  measure.totalChange ? formatChange(measure, measure.totalChange(comparison)) : null;

/** `9 November to 15 November` */
export const comparedDays = ({ start_date, end_date }: Comparison): string =>
  start_date === end_date
    ? formatDayOfYear(start_date)
    : `${formatDayOfYear(start_date)} to ${formatDayOfYear(end_date)}`;

/** `on 3 November`, `from 9 November to 15 November` */
const days = (comparison: Comparison): string =>
  `${comparison.start_date === comparison.end_date ? 'on' : 'from'} ${comparedDays(comparison)}`;

/** What figures are compared with: `Compared with the 5 school days from 9 November to 15 November, not counting today`. */
export function comparedWith(comparison: Comparison, rangeEnd: string): string {
  const before = comparison.school_days === 1 ? 'the school day' : `the ${count(comparison.school_days, 'school day')}`;
  return `Compared with ${before} ${days(comparison)}${comparison.until < rangeEnd ? ', not counting today' : ''}`;
}
