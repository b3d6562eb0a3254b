/*
 * The clock of the schools' country, in which all moments are shown. Does not use the browser's formatters, which are
 * slow to create on an old tablet and differ between browsers and the server.
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** One o'clock UTC on the last Sunday of a month of 31 days (March is 2, October 9), in milliseconds. */
function lastSunday(year: number, month: number): number {
  const last = Date.UTC(year, month, 31, 1);
  return last - new Date(last).getUTCDay() * DAY;
}

/** The clock's offset from UTC in milliseconds: an hour in summer. Source: The Summer Time Order 2002. */
function utcOffsetMs(moment: number): number {
  const year = new Date(moment).getUTCFullYear();
  return moment >= lastSunday(year, 2) && moment < lastSunday(year, 9) ? HOUR : 0;
}

/** A day, or a moment on the schools' clock, as a date whose UTC parts are the clock's. Null for an invalid date. */
export function onSchoolClock(value: string | number): Date | null {
  // A calendar day has no time zone: `2026-11-21` is the 21st everywhere.
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  const moment = isDay ? Date.parse(`${value}T00:00:00Z`) : new Date(value).getTime();
  if (Number.isNaN(moment)) return null;
  return new Date(isDay ? moment : moment + utcOffsetMs(moment));
}

/** The moment when the schools' clock shows a time such as `15:30` on a day; of two such moments the first. */
export function momentOnSchoolClock(day: string, time: string): number {
  const shown = Date.parse(`${day}T${time}:00Z`);
  const inSummer = shown - HOUR;
  return utcOffsetMs(inSummer) === HOUR ? inSummer : shown;
}

/** The moment when a day starts on the schools' clock, which changes at one in the morning, never at midnight. */
export function startOfDay(day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return midnight - utcOffsetMs(midnight);
}
