const DAY = 86_400_000;
const MONDAY = 1;

const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const date = (year: number, month: number, day: number): string => dayOf(Date.UTC(year, month - 1, day));

/** Days are `YYYY-MM-DD` strings, so they sort as text. */
export const addDays = (day: string, days: number): string => dayOf(at(day) + days * DAY);
export const daysBetween = (from: string, to: string): number => Math.round((at(to) - at(from)) / DAY);
/** 0 is Sunday. */
export const weekday = (day: string): number => new Date(at(day)).getUTCDay();
export const isWeekend = (day: string): boolean => weekday(day) % 6 === 0;

/** The same day some months earlier; the last day of a shorter month. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return date(year, month - months, Math.min(dayOfMonth, last));
}

/** All days in a range, both ends included. */
export function daysFrom(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

const onOrAfter = (day: string, wanted: number): string => addDays(day, (wanted - weekday(day) + 7) % 7);
const weekdayUntil = (day: string): string => (isWeekend(day) ? weekdayUntil(addDays(day, -1)) : day);
const lastMonday = (year: number, month: number): string => onOrAfter(addDays(date(year, month + 1, 1), -7), MONDAY);

/** Easter Sunday (Meeus, Jones and Butcher). */
export function easter(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return date(year, Math.floor(f / 31), (f % 31) + 1);
}

interface Holiday {
  name: 'half term' | 'Christmas' | 'Easter' | 'summer' | 'bank holiday';
  first: string;
  last: string;
}

/** The usual holidays of schools in England within one calendar year; local authorities differ by a week. */
function holidaysOf(year: number): Holiday[] {
  const sunday = easter(year);
  // A late Easter closes the fortnight, an early one opens it.
  const easterMonday = addDays(sunday, 1);
  const late = sunday > date(year, 4, 12);
  const week = (monday: string): Holiday => ({ name: 'half term', first: monday, last: addDays(monday, 4) });
  const mayDay = onOrAfter(date(year, 5, 1), MONDAY);
  return [
    { name: 'Christmas', first: date(year, 1, 1), last: addDays(onOrAfter(date(year, 1, 3), MONDAY), -1) },
    week(onOrAfter(date(year, 2, 12), MONDAY)),
    late
      ? { name: 'Easter', first: addDays(easterMonday, -14), last: easterMonday }
      : { name: 'Easter', first: addDays(easterMonday, -7), last: addDays(easterMonday, 4) },
    { name: 'bank holiday', first: mayDay, last: mayDay },
    week(lastMonday(year, 5)),
    {
      name: 'summer',
      first: addDays(weekdayUntil(date(year, 7, 22)), 1),
      last: addDays(weekdayUntil(date(year, 9, 4)), -1),
    },
    week(lastMonday(year, 10)),
    { name: 'Christmas', first: addDays(onOrAfter(date(year, 12, 14), 5), 1), last: date(year, 12, 31) },
  ];
}

const known = new Map<number, Holiday[]>();

/** The holiday that contains a day, including its weekends; undefined in term time. */
export function findHoliday(day: string): Holiday['name'] | undefined {
  const year = Number(day.slice(0, 4));
  let holidays = known.get(year);
  if (!holidays) known.set(year, (holidays = holidaysOf(year)));
  return holidays.find(({ first, last }) => day >= first && day <= last)?.name;
}

/** The 1 September with which the academic year of a day begins. */
export const academicYearStart = (day: string): string =>
  `${Number(day.slice(0, 4)) - (day.slice(5) < '09-01' ? 1 : 0)}-09-01`;

/** The instant of a daytime clock time in England. Clocks change at 1 am, when no pupil reads. */
export function inEngland(day: string, minutes: number): Date {
  const year = Number(day.slice(0, 4));
  const lastSunday = (month: number) => addDays(date(year, month + 1, 1), -(weekday(date(year, month + 1, 1)) || 7));
  const isSummerTime = day >= lastSunday(3) && day < lastSunday(10);
  return new Date(at(day) + (minutes - (isSummerTime ? 60 : 0)) * 60_000);
}

/** The day in England at an instant. */
export const dayInEngland = (timestamp: Date): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Europe/London',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(timestamp);
