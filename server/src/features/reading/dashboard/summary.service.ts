import { MIN_WORDS } from '#contract/accuracy.ts';
import type { ReadingSummary } from '#contract/calls/charts.ts';
import { type Calendar, type Days, listSchoolDays, termYearOf } from '#contract/school-calendar.ts';
import { findYear, yearText } from '#contract/year-group.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { getCalendar } from '../../school/school/school.public.ts';
import { measureAccuracy } from './accuracy.service.ts';
import type { Selection } from './selection.access.ts';
import { type ClassLevelTotals, type ClassTotals, listClassLevelTotals, listClassTotals } from './summary.queries.ts';

const TERMS = ['Autumn', 'Spring', 'Summer'] as const;
const OTHER_CLASSES = 'Other classes';
const NO_CLASS = 'No class';

/** The last term that ended before a day: `Summer term 2026`. */
export function findLastTerm(calendar: Calendar, day: string): (Days & { name: string }) | undefined {
  const year = termYearOf(day, calendar.nation ?? null);
  return [year - 1, year]
    .flatMap((each) => {
      const halves = calendar(each);
      return TERMS.flatMap((name, index) => {
        const [first, second] = [halves[2 * index], halves[2 * index + 1]];
        if (!first || !second) return [];
        return { name: `${name} term ${first.from.slice(0, 4)}`, from: first.from, to: second.to };
      });
    })
    .findLast(({ to }) => to < day);
}

const accuracyOf = (levels: readonly ClassLevelTotals[], level?: number): number | null => {
  const { accuracy, words_attempted } = measureAccuracy(levels, level);
  return words_attempted < MIN_WORDS ? null : accuracy;
};

const summarise = (classes: readonly ClassTotals[], levels: readonly ClassLevelTotals[]) => ({
  pupils: classes.reduce((sum, { pupils }) => sum + pupils, 0),
  readers: classes.reduce((sum, { active_pupils }) => sum + active_pupils, 0),
  reading_time: classes.reduce((sum, { reading_time }) => sum + reading_time, 0),
  accuracy: accuracyOf(levels),
});

/** The position and the name of the year group of a class; classes without a year are last. */
function schoolYearOf(className: string | null): { order: number; name: string } {
  if (className === null) return { order: 101, name: NO_CLASS };
  const year = findYear(className)?.year;
  return year === undefined ? { order: 100, name: OTHER_CLASSES } : { order: year, name: yearText(year) };
}

function groupByYear(
  classes: readonly ClassTotals[],
  levels: readonly ClassLevelTotals[],
): ReadingSummary['year_groups'] {
  const byYear = Map.groupBy(classes, ({ class_name }) => schoolYearOf(class_name).name);
  return [...byYear]
    .toSorted(
      ([, [first]], [, [second]]) =>
        schoolYearOf(first?.class_name ?? null).order - schoolYearOf(second?.class_name ?? null).order,
    )
    .map(([name, members]) => {
      const yearLevels = levels.filter(({ class_name }) => schoolYearOf(class_name).name === name);
      const numbers = [...new Set(yearLevels.map(({ reading_level }) => reading_level))].sort((a, b) => a - b);
      return {
        name,
        ...summarise(members, yearLevels),
        levels: numbers.map((level) => ({ reading_level: level, accuracy: accuracyOf(yearLevels, level) })),
      };
    });
}

/** Summarises reading between two days, both included, with the last term for comparison. */
export async function buildSummary(
  db: SchoolDb,
  selection: Selection,
  days: Days,
): Promise<Omit<ReadingSummary, 'name'>> {
  const calendar = await getCalendar(db);
  const classes = await listClassTotals(db, selection, days);
  const levels = await listClassLevelTotals(db, selection, days);
  const term = findLastTerm(calendar, days.from);
  const termFigures =
    term && summarise(await listClassTotals(db, selection, term), await listClassLevelTotals(db, selection, term));
  const countSchoolDays = (range: Days) => listSchoolDays(calendar, range).length;
  return {
    start_date: days.from,
    end_date: days.to,
    school_days: countSchoolDays(days),
    ...summarise(classes, levels),
    last_term:
      term && termFigures && termFigures.readers > 0
        ? {
            name: term.name,
            start_date: term.from,
            end_date: term.to,
            school_days: countSchoolDays(term),
            ...termFigures,
          }
        : null,
    year_groups: groupByYear(classes, levels),
  };
}
