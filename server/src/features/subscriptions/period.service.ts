import { addDays, DAY_MS, dayIn } from '../../clock.ts';

/** Subscriptions and invoices run by the calendar of London, whatever the school's own time zone. */
const ZONE = 'Europe/London';

/** The calendar day, `YYYY-MM-DD`, of a moment. */
export const dayOf = (moment: Date): string => dayIn(ZONE, moment);

/** Whole days from one day to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** The moment at which a day begins: the clocks in London are at most an hour before those of UTC. */
export function startOfDay(day: string): Date {
  const midnight = new Date(`${day}T00:00:00Z`);
  const hourBefore = new Date(midnight.getTime() - 3_600_000);
  return dayOf(hourBefore) === day ? hourBefore : midnight;
}

/** The last second of a day: until then a subscription runs whose last day it is. */
export const endOfDay = (day: string): Date => new Date(startOfDay(addDays(day, 1)).getTime() - 1000);

/** The same day so many months later; the last one of the month where it has no such day. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** First and last day. */
export interface Period {
  from: string;
  to: string;
}

/** Twelve months from a day on: 18 November 2026 to 17 November 2027. */
export const yearFrom = (day: string): Period => ({ from: day, to: addDays(addMonths(day, 12), -1) });

/** How many days a period has, its first and last included. */
export const lengthOf = ({ from, to }: Period): number => daysBetween(from, to) + 1;
