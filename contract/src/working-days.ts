import { type BankHolidayList, bankHolidayListOf, PUBLISHED_BANK_HOLIDAYS } from './bank-holidays.ts';
import type { Nation } from './nations.ts';
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

/** The bank holidays of a list in a year by the rule, in order, without days that are moved or added for one year. */
export function bankHolidaysByRule(year: number, list: BankHolidayList): string[] {
  const easter = easterSunday(year);
  const isScotland = list === 'scotland';
  const isIreland = list === 'northern-ireland';
  return [
    ...substitute(isScotland ? [`${year}-01-01`, `${year}-01-02`] : [`${year}-01-01`]),
    ...(isIreland ? substitute([`${year}-03-17`]) : []),
    plusDays(easter, -2),
    ...(isScotland ? [] : [plusDays(easter, 1)]),
    mondayFrom(`${year}-05-01`),
    mondayOf(`${year}-05-31`),
    ...(isIreland ? substitute([`${year}-07-12`]) : []),
    isScotland ? mondayFrom(`${year}-08-01`) : mondayOf(`${year}-08-31`),
    ...(isScotland ? substitute([`${year}-11-30`]) : []),
    ...substitute([`${year}-12-25`, `${year}-12-26`]),
  ].sort();
}

/** The bank holidays of a year, in order: the published days or, for a year that is not published, those of the rule. */
export function bankHolidays(year: number, nation: Nation | null = null): string[] {
  const list = bankHolidayListOf(nation);
  const published = PUBLISHED_BANK_HOLIDAYS[list][year];
  return published?.split(' ').map((day) => `${year}-${day}`) ?? bankHolidaysByRule(year, list);
}

/** True on Monday to Friday, except bank holidays of the nation; of England and Wales for null. */
export const isWorkingDay = (day: string, nation: Nation | null = null): boolean =>
  !isWeekend(day) && !bankHolidays(Number(day.slice(0, 4)), nation).includes(day);

/** The first working day on or after a day. */
export function nextWorkingDay(day: string, nation: Nation | null = null): string {
  let next = day;
  while (!isWorkingDay(next, nation)) next = plusDays(next, 1);
  return next;
}

/** Days from the issue of an invoice to its due date, unless that is not a working day. */
const PAYMENT_DAYS = 30;
/** The last day of the first week of January, in which no school is locked. */
const FIRST_WEEK_END = '01-07';

/** The due date of an invoice: 30 days after its issue, or the next working day. */
export const dueDateOf = (issuedOn: string, nation: Nation | null): string =>
  nextWorkingDay(plusDays(issuedOn, PAYMENT_DAYS), nation);

/** The day on which an unpaid invoice locks the school: the next working day after the due date, but not 1–7 January. */
export function lockDayOf(dueDate: string, nation: Nation | null): string {
  const day = nextWorkingDay(plusDays(dueDate, 1), nation);
  return day.slice(5) > FIRST_WEEK_END ? day : nextWorkingDay(`${day.slice(0, 4)}-01-08`, nation);
}

/** The same date some months later, or the last day of that month if it is shorter. */
export function plusMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}
