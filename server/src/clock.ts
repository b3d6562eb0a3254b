/** The source of the current time. Tests set their own. */
export interface Clock {
  now(): Date;
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

/** The same time of day a number of calendar months earlier. */
export function monthsBefore(now: Date, months: number): Date {
  const date = new Date(now);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date;
}
