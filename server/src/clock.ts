/** The source of the current time. Tests set their own. */
export interface Clock {
  now(): Date;
  /** Set for a clock that tests move by weeks: database/trusted-time.ts does not take it for one that is wrong. */
  isMovedByTests?: true;
}

export const systemClock: Clock = { now: () => new Date() };

/** The length of a calendar day on which the clocks do not change. */
export const DAY_MS = 86_400_000;

/** By time zone: creating one takes as long as a statement. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formatters.set(timeZone, made);
  return made;
}

/** The calendar day, `YYYY-MM-DD`, of a timestamp in a time zone. */
export const dayIn = (timeZone: string, timestamp: Date): string => formatterOf(timeZone).format(timestamp);

/** The calendar day a number of days later. Calendar days have no time zone, and all have the same length. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A calendar day in full, such as `6 November 2026`. */
export const formatLongDay = (day: string): string => longDay.format(new Date(`${day}T00:00:00Z`));

/** A range of calendar days in full, such as `2 November 2026 to 6 November 2026`, or the one day. */
export const formatLongDays = (from: string, to: string): string =>
  from === to ? formatLongDay(from) : `${formatLongDay(from)} to ${formatLongDay(to)}`;

/** The same day of the month, `months` later or, if negative, earlier; the last day of a month that is too short. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/**
 * The latest time whose period of calendar months is over. A period ends at the same time on the same day of the month,
 * in UTC; in a month without that day, at the end of the month: what began on 29 February 2028 at 10:00 is a year old on
 * 1 March 2029 at 0:00.
 */
export function monthsBefore(now: Date, months: number): Date {
  const [day = '', time = ''] = now.toISOString().split('T');
  const then = addMonths(day, -months);
  // Of a month that is too short for today's day, every time is earlier.
  return new Date(then.endsWith(day.slice(-2)) ? `${then}T${time}` : `${then}T23:59:59.999Z`);
}
