import { addDays, addMonths, DAY_MS, dayIn } from '../../../clock.ts';

/** Subscriptions and invoices follow the calendar of London, whatever the school's own time zone is. */
const ZONE = 'Europe/London';

/** The calendar day, `YYYY-MM-DD`, of a moment. */
export const dayOf = (moment: Date): string => dayIn(ZONE, moment);

/** Whole days from one day to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** The moment at which a day begins. London is at most one hour ahead of UTC. */
export function startOfDay(day: string): Date {
  const midnight = new Date(`${day}T00:00:00Z`);
  const hourBefore = new Date(midnight.getTime() - 3_600_000);
  return dayOf(hourBefore) === day ? hourBefore : midnight;
}

/** The last second of `day` in London time. A subscription that expires on `day` is active until then. */
export const endOfDay = (day: string): Date => new Date(startOfDay(addDays(day, 1)).getTime() - 1000);

/** First and last day. */
export interface Period {
  from: string;
  to: string;
}

/** Twelve months from a day: 18 November 2026 to 17 November 2027. */
export const yearFrom = (day: string): Period => ({ from: day, to: addDays(addMonths(day, 12), -1) });

/** The subscription year of a day: from one anniversary of `start` to the day before the next. */
export function subscriptionYear(start: string, day: string): Period {
  const sameYear = 12 * (Number(day.slice(0, 4)) - Number(start.slice(0, 4)));
  const months = addMonths(start, sameYear) <= day ? sameYear : sameYear - 12;
  return { from: addMonths(start, months), to: addDays(addMonths(start, months + 12), -1) };
}

/** The number of days in a period, first and last included. */
export const lengthOf = ({ from, to }: Period): number => daysBetween(from, to) + 1;
