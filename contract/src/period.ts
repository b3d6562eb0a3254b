/** A period for which something is kept: days, or calendar months. At most one of them. */
export interface Period {
  days?: number | null | undefined;
  months?: number | undefined;
}

/** The calendar months of a period. Half a year or more in days means whole months: 365 days are a year. */
export const monthsOf = ({ days, months }: Period): number | undefined =>
  months ?? (days && days >= 180 ? Math.round(days / 30.4) : undefined);

const countOf = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** A period for people, such as `24 hours`, `30 days`, `6 months` or `2 years`. */
export function formatPeriod(period: Period): string {
  const months = monthsOf(period);
  if (months !== undefined) return months % 12 === 0 ? countOf(months / 12, 'year') : countOf(months, 'month');
  return period.days === 1 ? '24 hours' : countOf(period.days ?? 0, 'day');
}
