/**
 * The academic year, from 1 September to 31 August: three terms, each in two halves with a week off between them. Days are
 * strings (`2026-11-21`), independent of any clock or time zone.
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
const FRIDAY = 5;

/** The last given weekday on or before a day. */
const onOrBefore = (kind: number, day: string): string => plusDays(day, -((weekday(day) - kind + 7) % 7));
const weekdayOnOrBefore = (day: string): string => (isWeekday(day) ? day : onOrBefore(FRIDAY, day));
const weekdayOnOrAfter = (day: string): string => (isWeekday(day) ? day : plusDays(onOrBefore(MONDAY, day), 7));
/** The Monday of a day's week. */
export const mondayOf = (day: string): string => onOrBefore(MONDAY, day);

/** The year in which a day's academic year began: 2026 for 21 November 2026 and for 31 August 2027. */
export const academicYearOf = (day: string): number => Number(day.slice(0, 4)) - (day.slice(5) < '09-01' ? 1 : 0);

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
 * The term dates that most councils in England set, used until a school enters its own. Half-term holidays are the weeks of the Mondays from 24 to 30 October and from 11 to 17 February and of the last Monday of May; Christmas is two weeks and the weekend before them.
 */
export function usualYear(year: number): SchoolYear {
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

/** The early May bank holiday, the only one within a term. */
const isMayDay = (day: string): boolean =>
  day.slice(5) >= '05-01' && day.slice(5) <= '05-07' && weekday(day) === MONDAY;

/** The term dates of any academic year: the school's own, or the usual ones. */
export type Calendar = (year: number) => SchoolYear;

/** The calendar of a school that has entered the term dates of some years. */
export const calendarOf = (own: Readonly<Record<number, SchoolYear>>): Calendar => {
  const usual = new Map<number, SchoolYear>();
  return (year) => {
    const given = own[year] ?? usual.get(year) ?? usualYear(year);
    if (!own[year]) usual.set(year, given);
    return given;
  };
};

/**
 * The school days in a range: weekdays in term, except the May bank holiday. Calculated in milliseconds, because the
 * list of pupils who need help needs two years of them.
 */
export function listSchoolDays(calendar: Calendar, { from, to }: Days): string[] {
  const days: string[] = [];
  for (let year = academicYearOf(from); year <= academicYearOf(to); year += 1)
    for (const half of calendar(year)) {
      const last = time(half.to < to ? half.to : to);
      for (let at = time(half.from > from ? half.from : from); at <= last; at += DAY_MS) {
        if (isWeekend(new Date(at).getUTCDay())) continue;
        const day = dayAt(at);
        if (!isMayDay(day)) days.push(day);
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

/** The maximum length of a holiday within an academic year. */
const MAX_HOLIDAY_DAYS = 35;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const inWords = (day: string): string =>
  `${Number(day.slice(8))} ${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;

/** Lists errors in the term dates of an academic year: days outside it, in the wrong order, overlapping, or with too long a gap. */
export function termDateFaults(year: number, halves: SchoolYear): TermDateFault[] {
  return halves.flatMap((half, index): TermDateFault[] => {
    const name = HALF_TERMS[index] ?? '';
    const before = halves[index - 1];
    const outside = (['from', 'to'] as const).find((end) => academicYearOf(half[end]) !== year);
    if (outside)
      return [
        {
          half: index,
          end: outside,
          text: `The academic year ${academicYearName(year)} runs from 1 September ${year} to 31 August ${year + 1}.`,
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
