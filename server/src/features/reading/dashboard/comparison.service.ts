import { calculateAccuracy, MIN_WORDS } from '#contract/accuracy.ts';
import type { Comparison } from '#contract/calls/charts.ts';
import { FIRST_DAY } from '#contract/limits.ts';
import { academicYearOf, type Calendar, type Days, listSchoolDays, plusDays } from '#contract/school-calendar.ts';

/*
 * Compares figures with the period before: docs/reading-needs.md describes each rule. Pure functions; days are calendar
 * days in the school's time zone.
 */

/** Two periods with as many school days. */
export interface ComparedPeriods {
  range: Days;
  before: Days;
  /** Of each period. */
  schoolDays: number;
}

const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** The last `count` school days up to a day, in order, or all since 2018 if there are fewer. */
function lastSchoolDays(calendar: Calendar, until: string, count: number): string[] {
  let days: string[] = [];
  for (let year = academicYearOf(until); days.length < count && `${year + 1}` > FIRST_DAY; year -= 1) {
    const ofYear = { from: later(`${year}-09-01`, FIRST_DAY), to: earlier(`${year + 1}-08-31`, until) };
    days = [...listSchoolDays(calendar, ofYear), ...days];
  }
  return days.slice(-count);
}

/**
 * The period that a range is compared with. Undefined while the range has no past school day, or when there are not
 * enough school days before it since 2018.
 */
export function findPeriodBefore(calendar: Calendar, { from, to }: Days, today: string): ComparedPeriods | undefined {
  const range = { from, to: earlier(to, plusDays(today, -1)) };
  const rangeDays = listSchoolDays(calendar, range);
  const [firstInRange, lastInRange] = [rangeDays[0], rangeDays.at(-1)];
  if (!firstInRange || !lastInRange) return undefined;
  const dayBefore = plusDays(from, -1);
  const [above, ...days] = lastSchoolDays(calendar, dayBefore, rangeDays.length + 1);
  const [first, last] = [days[0], days.at(-1)];
  if (!above || !first || !last || days.length < rangeDays.length) return undefined;
  return {
    range,
    before: {
      from: later(plusDays(first, -daysBetween(from, firstInRange)), plusDays(above, 1)),
      to: earlier(plusDays(last, daysBetween(lastInRange, range.to)), dayBefore),
    },
    schoolDays: rangeDays.length,
  };
}

/** The sums of one period. Time in seconds. */
export interface PeriodFigures {
  reading_time: number;
  words_attempted: number;
  words_correct: number;
  books_completed: number;
}

/**
 * How figures have changed; null when the period before has too few words.
 * @param pupils the current number of pupils
 */
export function compareFigures(
  { range, before, schoolDays }: ComparedPeriods,
  pupils: number,
  now: PeriodFigures,
  then: PeriodFigures,
): Comparison | null {
  if (pupils === 0 || then.words_attempted < MIN_WORDS) return null;
  const accuracy = ({ words_correct, words_attempted }: PeriodFigures) =>
    calculateAccuracy(words_correct, words_attempted) ?? 0;
  const time = now.reading_time - then.reading_time;
  const books = now.books_completed - then.books_completed;
  return {
    start_date: before.from,
    end_date: before.to,
    until: range.to,
    school_days: schoolDays,
    accuracy: now.words_attempted < MIN_WORDS ? null : accuracy(now) - accuracy(then),
    average_reading_time: time / pupils,
    reading_time: time,
    average_books_completed: books / pupils,
    books_completed: books,
  };
}
