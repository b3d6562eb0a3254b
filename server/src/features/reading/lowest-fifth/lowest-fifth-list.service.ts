import { recentDays } from '#contract/accuracy.ts';
import type { LowestFifth } from '#contract/calls/lowest-fifth.ts';
import { type Days, listSchoolDays } from '#contract/school-calendar.ts';
import { toRecordedYearGroup, YEAR_GROUPS, type YearGroup, yearGroupOn } from '#contract/year-group.ts';
import { addDays, DAY_MS, dayIn } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { getCalendar } from '../../school/school/school.public.ts';
import {
  countOwnBooks,
  type HelpRow,
  listHelp,
  listPeriodTotals,
  listPupilsWithYear,
  type PeriodTotals,
} from './lowest-fifth.queries.ts';
import { chooseLowestFifth, describeStanding } from './lowest-fifth.service.ts';

const PERIOD_DAYS = 42;
const SCHOOL_DAYS_A_WEEK = 5;
const MAX_RESPONSES = 20;

/** `M` and `X` say nothing about a pupil's year. */
const isYear = (code: YearGroup): boolean => code !== 'M' && code !== 'X';

/**
 * Lists the lowest fifth of a year group.
 * @param chosen the year group; that of the youngest pupils when absent
 */
export async function listLowestFifth(
  db: SchoolDb,
  timeZone: string,
  now: Date,
  chosen: YearGroup | undefined,
): Promise<LowestFifth> {
  const today = dayIn(timeZone, now);
  const recent = recentDays(today);
  const before = { from: addDays(recent.from, -PERIOD_DAYS), to: addDays(recent.from, -1) };
  const everyone = (await listPupilsWithYear(db)).map((row) => ({
    ...row,
    year: yearGroupOn(toRecordedYearGroup(row), today),
  }));
  const present = new Set(everyone.flatMap(({ year }) => year ?? []));
  const yearGroups = YEAR_GROUPS.filter((code) => present.has(code) && isYear(code));
  const yearGroup = chosen ?? yearGroups[0] ?? null;
  const pupils = everyone.filter(({ year }) => year !== null && year === yearGroup);
  const totals = Map.groupBy(
    await listPeriodTotals(
      db,
      pupils.map(({ id }) => id),
      before,
      recent,
    ),
    ({ pupil_id }) => pupil_id,
  );
  const inPeriod = (isRecent: boolean) =>
    pupils.map((pupil) => {
      const ofPupil = (totals.get(pupil.id) ?? []).filter(({ is_recent }) => is_recent === isRecent);
      return { pupil, totals: ofPupil, standing: describeStanding(ofPupil) };
    });
  const { placed, lowest } = chooseLowestFifth(inPeriod(true));
  const earlier = inPeriod(false);
  const listedBefore = new Set(chooseLowestFifth(earlier).lowest.map(({ pupil }) => pupil.id));
  const standingBefore = new Map(earlier.map(({ pupil, standing }) => [pupil.id, standing]));
  const ids = lowest.map(({ pupil }) => pupil.id);
  const [help, books, schoolDays] = await Promise.all([
    listHelp(db, ids, new Date(now.getTime() - PERIOD_DAYS * DAY_MS), now),
    countOwnBooks(db, ids),
    countSchoolDays(db, recent),
  ]);
  const helpByPupil = Map.groupBy(help, ({ pupil_id }) => pupil_id);
  return {
    year_groups: yearGroups,
    year_group: yearGroup,
    ...recent,
    pupils: pupils.length,
    placed,
    too_little: pupils.length - placed,
    without_year_group: everyone.filter(({ year }) => year === null || !isYear(year)).length,
    readers: lowest.map(({ pupil: { id, name, class_id, class_name }, totals: read, standing }) => ({
      id,
      name,
      group: class_id === null ? null : { id: class_id, name: class_name ?? '' },
      ...standing,
      reading_time_a_week: schoolDays === 0 ? null : (sumTime(read) / schoolDays) * SCHOOL_DAYS_A_WEEK,
      before: standingBefore.get(id) ?? null,
      was_listed: listedBefore.has(id),
      responses: (helpByPupil.get(id) ?? []).slice(0, MAX_RESPONSES).map(toHelp),
      books: books.get(id) ?? 0,
    })),
  };
}

const countSchoolDays = async (db: SchoolDb, days: Days): Promise<number> =>
  listSchoolDays(await getCalendar(db), days).length;

const sumTime = (totals: readonly PeriodTotals[]): number =>
  totals.reduce((sum, { reading_time }) => sum + reading_time, 0);

const toHelp = ({ pupil_id: _, responded_at, ...help }: HelpRow) => ({
  ...help,
  responded_at: responded_at.toISOString(),
});
