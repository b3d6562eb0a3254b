import { calculateAccuracy } from '#contract/accuracy.ts';
import type { Comparison } from '#contract/calls/charts.ts';
import { FIRST_DAY } from '#contract/limits.ts';
import { academicYearOf, type Calendar, type Days, listSchoolDays, plusDays } from '#contract/school-calendar.ts';

/*
 * Figures against the period before: docs/reading-needs.md has each rule in words. Pure functions; days are calendar
 * days in the school's time zone.
 */

/** On fewer words nothing is said about how a pupil reads, and a period with fewer is none to compare with. */
const FEWEST_WORDS = 100;

/** Two periods with as many school days. */
export interface ComparedPeriods {
  range: Days;
  before: Days;
  /** Of each of the two. */
  schoolDays: number;
}

const earlier = (one: string, other: string): string => (one < other ? one : other);
const later = (one: string, other: string): string => (one > other ? one : other);
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** The last school days until a day, in order: as many as asked for, or all since 2018. */
function lastSchoolDays(calendar: Calendar, until: string, most: number): string[] {
  let days: string[] = [];
  for (let year = academicYearOf(until); days.length < most && `${year + 1}` > FIRST_DAY; year -= 1) {
    const ofYear = { from: later(`${year}-09-01`, FIRST_DAY), to: earlier(`${year + 1}-08-31`, until) };
    days = [...listSchoolDays(calendar, ofYear), ...days];
  }
  return days.slice(-most);
}

/** What a range is compared with; nothing while it has no school day that is over, and without enough of them since 2018 before it. */
export function findPeriodBefore(calendar: Calendar, { from, to }: Days, today: string): ComparedPeriods | undefined {
  const range = { from, to: earlier(to, plusDays(today, -1)) };
  const own = listSchoolDays(calendar, range);
  const [firstOwn, lastOwn] = [own[0], own.at(-1)];
  if (!firstOwn || !lastOwn) return undefined;
  const dayBefore = plusDays(from, -1);
  const [above, ...days] = lastSchoolDays(calendar, dayBefore, own.length + 1);
  const [first, last] = [days[0], days.at(-1)];
  if (!above || !first || !last || days.length < own.length) return undefined;
  return {
    range,
    before: {
      from: later(plusDays(first, -daysBetween(from, firstOwn)), plusDays(above, 1)),
      to: earlier(plusDays(last, daysBetween(lastOwn, range.to)), dayBefore),
    },
    schoolDays: own.length,
  };
}

/** Whole numbers of one period. Time in seconds. */
export interface PeriodFigures {
  reading_time: number;
  words_attempted: number;
  words_correct: number;
  books_completed: number;
}

/**
 * How figures have changed; nothing where the period before has too little.
 * @param pupils how many there are now, more than none
 */
export function compareFigures(
  { range, before, schoolDays }: ComparedPeriods,
  pupils: number,
  now: PeriodFigures,
  then: PeriodFigures,
): Comparison | null {
  if (pupils === 0 || then.words_attempted < FEWEST_WORDS) return null;
  const accuracy = ({ words_correct, words_attempted }: PeriodFigures) =>
    calculateAccuracy(words_correct, words_attempted) ?? 0;
  const time = now.reading_time - then.reading_time;
  const books = now.books_completed - then.books_completed;
  return {
    start_date: before.from,
    end_date: before.to,
    until: range.to,
    school_days: schoolDays,
    accuracy: now.words_attempted < FEWEST_WORDS ? null : accuracy(now) - accuracy(then),
    average_reading_time: time / pupils,
    reading_time: time,
    average_books_completed: books / pupils,
    books_completed: books,
  };
}
