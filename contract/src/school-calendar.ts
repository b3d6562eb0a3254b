import type { Nation } from './nations.ts';

/**
 * The academic year: three terms, each in two halves with days off between them. It runs from 1 September to 31 August; the
 * term dates of Scotland run from 1 August to 31 July. Days are strings (`2026-11-21`), independent of any clock or time
 * zone.
 */

/** A range of days, both included. */
export interface Days {
  from: string;
  to: string;
}

/** The half-terms of an academic year, in order. */
export const HALF_TERMS = ['Autumn 1', 'Autumn 2', 'Spring 1', 'Spring 2', 'Summer 1', 'Summer 2'] as const;

/** The dates of the half-terms, in the order of `HALF_TERMS`. */
export type SchoolYear = readonly Days[];

const DAY_MS = 86_400_000;
const time = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayAt = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
/** Adds days to a day, or subtracts them. */
export const plusDays = (day: string, days: number): string => dayAt(time(day) + days * DAY_MS);
/** 0 is a Sunday. */
const weekday = (day: string): number => new Date(time(day)).getUTCDay();
const isWeekend = (weekdayNumber: number): boolean => weekdayNumber % 6 === 0;
const isWeekday = (day: string): boolean => !isWeekend(weekday(day));
const MONDAY = 1;
const WEDNESDAY = 3;
const FRIDAY = 5;

/** The last given weekday on or before a day. */
const onOrBefore = (kind: number, day: string): string => plusDays(day, -((weekday(day) - kind + 7) % 7));
const weekdayOnOrBefore = (day: string): string => (isWeekday(day) ? day : onOrBefore(FRIDAY, day));
const weekdayOnOrAfter = (day: string): string => (isWeekday(day) ? day : plusDays(onOrBefore(MONDAY, day), 7));
/** The Monday of a day's week. */
export const mondayOf = (day: string): string => onOrBefore(MONDAY, day);

/** The year in which a day's academic year began: 2026 for 21 November 2026 and for 31 August 2027. */
export const academicYearOf = (day: string): number => Number(day.slice(0, 4)) - (day.slice(5) < '09-01' ? 1 : 0);

/**
 * The year in which the term dates began that a day belongs to. Schools in Scotland return in August, so that August belongs
 * to the year that begins; year groups and the year end follow `academicYearOf` everywhere.
 */
export const termYearOf = (day: string, nation: Nation | null): number =>
  nation === 'scotland' ? Number(day.slice(0, 4)) - (day.slice(5) < '08-01' ? 1 : 0) : academicYearOf(day);

/** The first and last day that term dates of an academic year may have. */
export const termYearDays = (year: number, nation: Nation | null): Days =>
  nation === 'scotland'
    ? { from: `${year}-08-01`, to: `${year + 1}-07-31` }
    : { from: `${year}-09-01`, to: `${year + 1}-08-31` };

/** Formats an academic year: `2026/27`. */
export const academicYearName = (year: number): string => `${year}/${String((year + 1) % 100).padStart(2, '0')}`;

/** Easter Sunday of a year, by the anonymous Gregorian rule (Meeus). */
export function easterSunday(year: number): string {
  const a = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * a + century - Math.floor(century / 4) - correction + 15) % 30;
  const sunday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const late = Math.floor((a + 11 * epact + 22 * sunday) / 451);
  const month = Math.floor((epact + sunday - 7 * late + 114) / 31);
  const day = ((epact + sunday - 7 * late + 114) % 31) + 1;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The last day of the spring term and the first of the summer term: the two weeks around Easter that most councils set. */
function easterHoliday(year: number): { lastDay: string; firstDay: string } {
  const easter = easterSunday(year);
  const monthAndDay = easter.slice(5);
  if (monthAndDay < '04-01') return { lastDay: plusDays(easter, -3), firstDay: plusDays(easter, 15) };
  if (monthAndDay <= '04-12') return { lastDay: plusDays(easter, -9), firstDay: plusDays(easter, 8) };
  return { lastDay: plusDays(easter, -16), firstDay: plusDays(easter, 2) };
}

/**
 * England: the dates that most councils set. Half-term holidays are the weeks of the Mondays from 24 to 30 October and from
 * 11 to 17 February and of the last Monday of May; Christmas is two weeks and the weekend before them.
 */
function usualYearOfEngland(year: number): SchoolYear {
  const next = year + 1;
  const october = onOrBefore(MONDAY, `${year}-10-30`);
  const february = onOrBefore(MONDAY, `${next}-02-17`);
  const may = onOrBefore(MONDAY, `${next}-05-31`);
  const christmas = onOrBefore(FRIDAY, `${year}-12-22`);
  const january = plusDays(christmas, 17);
  const { lastDay, firstDay } = easterHoliday(next);
  return [
    { from: weekdayOnOrAfter(`${year}-09-02`), to: plusDays(october, -3) },
    { from: plusDays(october, 7), to: christmas },
    // The second or the third is a bank holiday when New Year's Day falls on a weekend.
    { from: january > `${next}-01-03` ? january : `${next}-01-04`, to: plusDays(february, -3) },
    { from: plusDays(february, 7), to: lastDay },
    { from: firstDay, to: plusDays(may, -3) },
    { from: plusDays(may, 7), to: weekdayOnOrBefore(`${next}-07-22`) },
  ];
}

/**
 * Wales: the ministers set one calendar, with the holidays of England. The year starts on the first weekday of September and
 * ends a day or two earlier in July.
 */
function usualYearOfWales(year: number): SchoolYear {
  return usualYearOfEngland(year).map((half, index) => {
    if (index === 0) return { ...half, from: weekdayOnOrAfter(`${year}-09-01`) };
    return index === 5 ? { ...half, to: weekdayOnOrBefore(`${year + 1}-07-21`) } : half;
  });
}

/**
 * Scotland: each council sets its own dates, and these are the commonest. Pupils return on the Wednesday from 12 to 18
 * August and finish on the last Wednesday up to 28 June. The October break is the week of the second Monday or the one after
 * it (11 to 17 October), the February mid-term a Monday and Tuesday, and the spring holiday two weeks that include Easter
 * Monday, or end with it when Easter is late. The weekend of the last Monday of May has its Friday and Monday off. January
 * starts on the 5th or later, after the bank holiday of 2 January and its substitutes.
 */
function usualYearOfScotland(year: number): SchoolYear {
  const next = year + 1;
  const october = onOrBefore(MONDAY, `${year}-10-17`);
  const christmas = onOrBefore(FRIDAY, `${year}-12-22`);
  const january = plusDays(christmas, 17);
  const february = onOrBefore(MONDAY, `${next}-02-17`);
  const easter = easterSunday(next);
  const isLate = easter.slice(5) > '04-12';
  const may = onOrBefore(MONDAY, `${next}-05-31`);
  return [
    { from: onOrBefore(WEDNESDAY, `${year}-08-18`), to: plusDays(october, -3) },
    { from: plusDays(october, 7), to: christmas },
    { from: january > `${next}-01-04` ? january : weekdayOnOrAfter(`${next}-01-05`), to: plusDays(february, -3) },
    { from: plusDays(february, 2), to: plusDays(easter, isLate ? -16 : -3) },
    { from: plusDays(easter, isLate ? 2 : 15), to: plusDays(may, -4) },
    { from: plusDays(may, 1), to: onOrBefore(WEDNESDAY, `${next}-06-28`) },
  ];
}

/**
 * Northern Ireland: the Department of Education’s holidays, from 1 September to 30 June. The half-terms of autumn and
 * February are two days (Thursday and Friday in the week of Halloween, Monday and Tuesday), Easter lasts from the Thursday
 * before it to the Friday after, and in May only the bank holiday is off. St Patrick’s Day is a bank holiday within a term.
 */
function usualYearOfNorthernIreland(year: number): SchoolYear {
  const next = year + 1;
  const halloween = onOrBefore(MONDAY, `${year}-10-31`);
  const christmas = onOrBefore(FRIDAY, `${year}-12-22`);
  const january = plusDays(christmas, 17);
  const february = onOrBefore(MONDAY, `${next}-02-17`);
  const easter = easterSunday(next);
  const may = onOrBefore(MONDAY, `${next}-05-31`);
  return [
    { from: weekdayOnOrAfter(`${year}-09-01`), to: plusDays(halloween, 2) },
    { from: plusDays(halloween, 7), to: christmas },
    { from: january > `${next}-01-03` ? january : `${next}-01-04`, to: plusDays(february, -3) },
    { from: plusDays(february, 2), to: plusDays(easter, -4) },
    { from: plusDays(easter, 8), to: plusDays(may, -3) },
    { from: plusDays(may, 1), to: weekdayOnOrBefore(`${next}-06-30`) },
  ];
}

const USUAL_YEARS: Readonly<Record<Nation, (year: number) => SchoolYear>> = {
  england: usualYearOfEngland,
  scotland: usualYearOfScotland,
  wales: usualYearOfWales,
  northern_ireland: usualYearOfNorthernIreland,
};

/** The term dates used until a school enters its own, by its nation; null is treated as England. */
export const usualYear = (year: number, nation: Nation | null = null): SchoolYear =>
  USUAL_YEARS[nation ?? 'england'](year);

/** The bank holidays within a term: early May, and St Patrick's Day in Northern Ireland. */
const isBankHoliday = (day: string, nation: Nation | null): boolean =>
  (weekday(day) === MONDAY && day.slice(5) >= '05-01' && day.slice(5) <= '05-07') ||
  (nation === 'northern_ireland' && day === weekdayOnOrAfter(`${day.slice(0, 4)}-03-17`));

/**
 * The term dates of any academic year: the school's own, or the usual ones. `daysOff` are days without school that the
 * school has entered.
 */
export interface Calendar {
  (year: number): SchoolYear;
  nation?: Nation | null;
  daysOff?: ReadonlySet<string>;
}

/** The calendar of a school that has entered the term dates of some years and some days without school. */
export function calendarOf(
  own: Readonly<Record<number, SchoolYear>>,
  nation: Nation | null,
  daysOff: Iterable<string> = [],
): Calendar {
  const usual = new Map<number, SchoolYear>();
  const halvesOf = (year: number): SchoolYear => {
    const given = own[year] ?? usual.get(year) ?? usualYear(year, nation);
    if (!own[year]) usual.set(year, given);
    return given;
  };
  return Object.assign(halvesOf, { nation, daysOff: new Set(daysOff) });
}

/**
 * The school days in a range, in order: weekdays in term, except bank holidays and the school's days off. Calculated in
 * milliseconds, because the list of pupils who need help needs two years of them.
 */
export function listSchoolDays(calendar: Calendar, { from, to }: Days): string[] {
  const days: string[] = [];
  // A year of Scotland begins before the September of its name.
  const lastYear = Number(to.slice(0, 4));
  let next = time(from);
  for (let year = academicYearOf(from); year <= lastYear; year += 1)
    for (const half of calendar(year)) {
      const last = time(half.to < to ? half.to : to);
      for (let at = Math.max(next, time(half.from)); at <= last; at += DAY_MS) {
        next = at + DAY_MS;
        if (isWeekend(new Date(at).getUTCDay())) continue;
        const day = dayAt(at);
        if (!isBankHoliday(day, calendar.nation ?? null) && !calendar.daysOff?.has(day)) days.push(day);
      }
    }
  return days;
}

/** An error in the dates of a half-term. */
interface TermDateFault {
  /** Index of the half-term. */
  half: number;
  end: 'from' | 'to';
  text: string;
}

const isWithin = (day: string, { from, to }: Days): boolean => from <= day && day <= to;

/** The maximum length of a holiday within an academic year. */
const MAX_HOLIDAY_DAYS = 35;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const inWords = (day: string): string =>
  `${Number(day.slice(8))} ${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;

/**
 * Lists errors in the term dates of an academic year: days outside it, in the wrong order, overlapping, or with too long a
 * gap.
 * @param bounds the days of the year, which depend on the nation; without them, days outside the year are accepted
 */
export function termDateFaults(year: number, halves: SchoolYear, bounds?: Days): TermDateFault[] {
  return halves.flatMap((half, index): TermDateFault[] => {
    const name = HALF_TERMS[index] ?? '';
    const before = halves[index - 1];
    const outside = (['from', 'to'] as const).find((end) => bounds && !isWithin(half[end], bounds));
    if (outside && bounds)
      return [
        {
          half: index,
          end: outside,
          text: `The academic year ${academicYearName(year)} runs from ${inWords(bounds.from)} to ${inWords(bounds.to)}.`,
        },
      ];
    if (half.to < half.from)
      return [{ half: index, end: 'to', text: `The last day of ${name} must not be before its first day.` }];
    if (!before || before.to < before.from) return [];
    if (half.from <= before.to)
      return [
        {
          half: index,
          end: 'from',
          text: `${name} begins before ${HALF_TERMS[index - 1]} has ended, on ${inWords(before.to)}.`,
        },
      ];
    return time(half.from) - time(before.to) > (MAX_HOLIDAY_DAYS + 1) * DAY_MS
      ? [
          {
            half: index,
            end: 'from',
            text: `This leaves more than ${MAX_HOLIDAY_DAYS / 7} weeks without school after ${HALF_TERMS[index - 1]}, which ended on ${inWords(before.to)}.`,
          },
        ]
      : [];
  });
}

/** The most days without school that a school enters for an academic year, beside its holidays. */
export const MAX_DAYS_OFF = 20;

/** The error in a day without school, if it has one: on a weekend, outside the half-terms, or a bank holiday. */
export function findDayOffFault(day: string, halves: SchoolYear, nation: Nation | null): string | undefined {
  if (!isWeekday(day)) return `${inWords(day)} is at a weekend. Enter a weekday.`;
  if (!halves.some((half) => isWithin(day, half)))
    return `${inWords(day)} is in the holidays. Enter a day within a half-term.`;
  return isBankHoliday(day, nation) ? `${inWords(day)} is a bank holiday already.` : undefined;
}
