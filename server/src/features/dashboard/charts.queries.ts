import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';

/** Whose reading a chart counts: pupils by where they are now. */
export type Selection = { pupilId: number } | { classId: number } | { managerId: number } | 'school';

/** Sums over some days and pupils of one level. */
export interface Totals {
  reading_level: number;
  reading_time: number;
  words_attempted: number;
  words_correct: number;
}

/** Distinct books that a pupil completed over some days, by the highest level at which each was completed then. */
export interface BookCount {
  pupil_id: number;
  reading_level: number;
  books_completed: number;
}

function pupilCondition(db: SchoolDb, selection: Selection, column: ReturnType<typeof sql.ref>) {
  if (selection === 'school') return sql`true`;
  if ('pupilId' in selection) return sql`${column} = ${selection.pupilId}`;
  if ('classId' in selection)
    return sql`${column} in (select id from pupils where school_id = ${db.schoolId} and class_id = ${selection.classId})`;
  return sql`${column} in (select p.id from pupils p join classes c on c.school_id = p.school_id and c.id = p.class_id
    where p.school_id = ${db.schoolId} and c.manager_id = ${selection.managerId})`;
}

const sums = sql`sum(reading_time) as reading_time, sum(words_attempted) as words_attempted,
  sum(words_correct) as words_correct`;

/**
 * Totals a bucket and level from one day to another, both included.
 * @param buckets the first days of the buckets, in order; `bucket` of a row is an index in this list
 */
export async function listBucketTotals(
  db: SchoolDb,
  selection: Selection,
  buckets: readonly string[],
  from: string,
  to: string,
): Promise<(Totals & { bucket: number })[]> {
  const { rows } = await sql<Totals & { bucket: number }>`
    select width_bucket(day, ${[...buckets]}::date[]) - 1 as bucket, reading_level, ${sums} from reading_days
    where school_id = ${db.schoolId} and day between ${from}::date and ${to}::date and ${pupilCondition(db, selection, sql.ref('pupil_id'))}
    group by bucket, reading_level`.execute(db.tx);
  return rows;
}

/** Totals a pupil and level from one day to another, both included. */
export async function listPupilTotals(
  db: SchoolDb,
  selection: Selection,
  from: string,
  to: string,
): Promise<(Totals & { pupil_id: number })[]> {
  const { rows } = await sql<Totals & { pupil_id: number }>`
    select pupil_id, reading_level, ${sums} from reading_days
    where school_id = ${db.schoolId} and day between ${from}::date and ${to}::date and ${pupilCondition(db, selection, sql.ref('pupil_id'))}
    group by pupil_id, reading_level`.execute(db.tx);
  return rows;
}

/** Distinct books that each pupil completed from one day to another, both included, by level. */
export async function listPupilBookCounts(
  db: SchoolDb,
  selection: Selection,
  from: string,
  to: string,
): Promise<BookCount[]> {
  const { rows } = await sql<BookCount>`
    select pupil_id, reading_level, count(*) as books_completed from (
      select pupil_id, book_id, max(reading_level) as reading_level from book_completions
      where school_id = ${db.schoolId} and day between ${from}::date and ${to}::date and ${pupilCondition(db, selection, sql.ref('pupil_id'))}
      group by pupil_id, book_id
    ) as books
    group by pupil_id, reading_level`.execute(db.tx);
  return rows;
}

/** The pupils of a selection, those without reading included, by name. */
export async function listSelectedPupils(db: SchoolDb, selection: Selection): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from pupils where school_id = ${db.schoolId} and ${pupilCondition(db, selection, sql.ref('id'))} order by name_key, id`.execute(
    db.tx,
  );
  return rows;
}

/** How many pupils a selection has. */
export async function countSelectedPupils(db: SchoolDb, selection: Selection): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pupils where school_id = ${db.schoolId} and ${pupilCondition(db, selection, sql.ref('id'))}`.execute(
    db.tx,
  );
  return rows[0]?.n ?? 0;
}
