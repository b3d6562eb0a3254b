import { sql } from 'kysely';
import { FIRST_DAY } from '#contract/limits.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { Days } from '#contract/school-calendar.ts';
import type { ComparedPeriods, PeriodFigures } from './comparison.service.ts';
import { isOnDays, pupilCondition, type Selection } from './selection.access.ts';

/** Sums of some days and pupils at one level. */
export interface Totals {
  reading_level: number;
  reading_time: number;
  words_attempted: number;
  words_correct: number;
}

/** The selection's facts that are needed before the chart's days are known. */
export interface ChartScope {
  /** The school's IANA time zone, which decides where a day begins. */
  time_zone: string;
  /** The number of pupils in the selection. */
  pupils: number;
  /** False for a class that the school does not have. */
  has_class: boolean;
}

/** The school's time zone and how many pupils a selection has. */
export async function getChartScope(db: SchoolDb, selection: Selection): Promise<ChartScope> {
  const hasClass =
    selection !== 'school' && 'classId' in selection
      ? sql`exists (select from classes where school_id = ${db.schoolId} and id = ${selection.classId})`
      : sql`true`;
  const { rows } = await sql<ChartScope>`
    select time_zone, ${hasClass} as has_class,
      (select count(*) from pupils where school_id = ${db.schoolId} and archived_at is null and ${pupilCondition(db, selection, sql.ref('id'))}) as pupils
    from schools where id = ${db.schoolId}`.execute(db.tx);
  return rows[0] as ChartScope;
}

const sums = sql`sum(reading_time) as reading_time, sum(words_attempted) as words_attempted,
  sum(words_correct) as words_correct`;

/** The daily totals of a selection between two days. The whole school has totals of its own. */
const daysOf = (db: SchoolDb, selection: Selection, from: string, to: string) => sql`
  ${selection === 'school' ? sql`school_reading_days` : sql`reading_days`}
  where school_id = ${db.schoolId} and ${isOnDays(db, selection, from, to)}`;

/**
 * Totals by bucket and level from one day to another, both included.
 * @param buckets the first days of the buckets, in order; a row's `bucket` is an index into this list
 */
export async function listBucketTotals(
  db: SchoolDb,
  selection: Selection,
  buckets: readonly string[],
  from: string,
  to: string,
): Promise<(Totals & { bucket: number })[]> {
  const { rows } = await sql<Totals & { bucket: number }>`
    select width_bucket(day, ${[...buckets]}::date[]) - 1 as bucket, reading_level, ${sums}
    from ${daysOf(db, selection, from, to)} group by bucket, reading_level`.execute(db.tx);
  return rows;
}

/** A selection's figures in two periods, and whether any of its pupils had read by the first day of the earlier one. */
export async function getPeriodFigures(
  db: SchoolDb,
  selection: Selection,
  { range, before }: Pick<ComparedPeriods, 'range' | 'before'>,
): Promise<{ current: PeriodFigures; earlier: PeriodFigures; has_begun: boolean }> {
  const inRange = sql`day >= ${range.from}::date`;
  const inBefore = sql`day <= ${before.to}::date`;
  const both = (column: string) => sql`
    coalesce(sum(${sql.ref(column)}) filter (where ${inRange}), 0) as ${sql.ref(`${column}_now`)},
    coalesce(sum(${sql.ref(column)}) filter (where ${inBefore}), 0) as ${sql.ref(`${column}_then`)}`;
  type Counted = 'reading_time' | 'words_attempted' | 'words_correct' | 'books_completed';
  type Row = Record<`${Counted}_now` | `${Counted}_then`, number> & { has_begun: boolean };
  const { rows } = await sql<Row>`
    select read.*, books.*,
      exists (select from ${daysOf(db, selection, FIRST_DAY, before.from)}) as has_begun
    from (
      select ${both('reading_time')}, ${both('words_attempted')}, ${both('words_correct')}
      from ${daysOf(db, selection, before.from, range.to)}
    ) as read, (
      select count(*) filter (where is_now) as books_completed_now, count(*) filter (where was_then) as books_completed_then
      from (
        select bool_or(${inRange}) as is_now, bool_or(${inBefore}) as was_then from book_completions
        where school_id = ${db.schoolId} and ${isOnDays(db, selection, before.from, range.to)}
        group by pupil_id, book_id
      ) completed
    ) as books`.execute(db.tx);
  const row = rows[0] as Row;
  const figures = (when: 'now' | 'then'): PeriodFigures => ({
    reading_time: row[`reading_time_${when}`],
    words_attempted: row[`words_attempted_${when}`],
    words_correct: row[`words_correct_${when}`],
    books_completed: row[`books_completed_${when}`],
  });
  return { current: figures('now'), earlier: figures('then'), has_begun: row.has_begun };
}

/** A pupil of a selection with their counts at one level; a pupil without reading has one row without a level. */
export type PupilRow<Counts> = { id: number; name: string } & (
  | ({ reading_level: number } & Counts)
  | { reading_level: null }
);

/** Totals by pupil and level from one day to another, both included: every pupil of the selection, by name. */
export async function listPupilTotals(
  db: SchoolDb,
  selection: Selection,
  from: string,
  to: string,
): Promise<PupilRow<Totals>[]> {
  const { rows } = await sql<PupilRow<Totals>>`
    select p.id, p.name, read.* from pupils p left join (
      select pupil_id, reading_level, ${sums} from reading_days
      where school_id = ${db.schoolId} and ${isOnDays(db, selection, from, to)}
      group by pupil_id, reading_level
    ) read on read.pupil_id = p.id
    where p.school_id = ${db.schoolId} and p.archived_at is null and ${pupilCondition(db, selection, sql.ref('p.id'))}
    order by p.name_key, p.id`.execute(db.tx);
  return rows;
}

/**
 * Distinct books that each pupil completed from one day to another, both included, by the highest level at which each
 * was completed then: every pupil of the selection, by name.
 */
export async function listPupilBookCounts(
  db: SchoolDb,
  selection: Selection,
  from: string,
  to: string,
): Promise<PupilRow<{ books_completed: number }>[]> {
  const { rows } = await sql<PupilRow<{ books_completed: number }>>`
    select p.id, p.name, completed.* from pupils p left join (
      select pupil_id, reading_level, count(*) as books_completed from (
        select pupil_id, book_id, max(reading_level) as reading_level from book_completions
        where school_id = ${db.schoolId} and ${isOnDays(db, selection, from, to)}
        group by pupil_id, book_id
      ) as books
      group by pupil_id, reading_level
    ) completed on completed.pupil_id = p.id
    where p.school_id = ${db.schoolId} and p.archived_at is null and ${pupilCondition(db, selection, sql.ref('p.id'))}
    order by p.name_key, p.id`.execute(db.tx);
  return rows;
}

/** A pupil's words at one level. */
export interface LevelTotals {
  pupil_id: number;
  reading_level: number;
  last_day: string;
  words_attempted: number;
  words_correct: number;
}

/** The words of each pupil of a selection at each level between two days, both included. */
export async function listLevelTotals(db: SchoolDb, selection: Selection, { from, to }: Days): Promise<LevelTotals[]> {
  const { rows } = await sql<LevelTotals>`
    select pupil_id, reading_level, max(day) as last_day, sum(words_attempted) as words_attempted,
      sum(words_correct) as words_correct
    from reading_days
    where school_id = ${db.schoolId} and ${isOnDays(db, selection, from, to)}
    group by pupil_id, reading_level`.execute(db.tx);
  return rows;
}
