import { easterSunday, mondayOf, plusDays } from './school-calendar.ts';

/** 0 is a Sunday. */
const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();
const isWeekend = (day: string): boolean => weekday(day) % 6 === 0;

/** The days off instead of holidays that fall on a weekend: the next working days, in order. */
function substitute(days: readonly string[]): string[] {
  const taken: string[] = [];
  for (const day of days) {
    let free = day;
    while (isWeekend(free) || taken.includes(free)) free = plusDays(free, 1);
    taken.push(free);
  }
  return taken;
}

/** The first Monday on or after a day. */
const mondayFrom = (day: string): string => mondayOf(plusDays(day, 6));

/**
 * The bank holidays in England and Wales of a year, in order. Without those that the government adds for one year: a date
 * that is a day early is safe. Source: gov.uk/bank-holidays.
 */
export function bankHolidays(year: number): string[] {
  const easter = easterSunday(year);
  return [
    ...substitute([`${year}-01-01`]),
    plusDays(easter, -2),
    plusDays(easter, 1),
    mondayFrom(`${year}-05-01`),
    mondayOf(`${year}-05-31`),
    mondayOf(`${year}-08-31`),
    ...substitute([`${year}-12-25`, `${year}-12-26`]),
  ].sort();
}

/** True on Monday to Friday, except bank holidays in England and Wales. */
export const isWorkingDay = (day: string): boolean =>
  !isWeekend(day) && !bankHolidays(Number(day.slice(0, 4))).includes(day);

/** The first working day on or after a day. */
export function nextWorkingDay(day: string): string {
  let next = day;
  while (!isWorkingDay(next)) next = plusDays(next, 1);
  return next;
}

/** The same date some months later, or the last day of that month if it is shorter. */
export function plusMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}
