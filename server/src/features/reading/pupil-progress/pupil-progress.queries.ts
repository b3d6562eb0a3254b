import { sql } from 'kysely';
import { isReadingRow } from '../../../database/is-reading.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { hasBegunOnDays, isOnDays } from '../dashboard/dashboard.public.ts';

/** The highest level that a pupil read on their last day with reading, and the day from which it has not changed. */
export async function findLevelWithStart(
  db: SchoolDb,
  pupilId: number,
): Promise<{ reading_level: number; since: string } | undefined> {
  const { rows } = await sql<{ reading_level: number; since: string }>`
    with days as (
      select day, max(reading_level) as level from reading_days
      where school_id = ${db.schoolId} and pupil_id = ${pupilId} group by day
    )
    select latest.level as reading_level, (
      select min(day) from days
      where day > coalesce((select max(day) from days where level <> latest.level), '-infinity')
    ) as since
    from (select level from days order by day desc limit 1) latest`.execute(db.tx);
  return rows[0];
}

/** A pupil's reading on one day, at all levels. Time in seconds. */
export interface ReadingDay {
  day: string;
  reading_time: number;
  words_attempted: number;
  words_correct: number;
}

/** A pupil's days with reading between two days, both included, in order. */
export async function listReadingDays(db: SchoolDb, pupilId: number, from: string, to: string): Promise<ReadingDay[]> {
  const { rows } = await sql<ReadingDay>`
    select day, sum(reading_time) as reading_time, sum(words_attempted) as words_attempted, sum(words_correct) as words_correct
    from reading_days
    where school_id = ${db.schoolId} and ${isOnDays(db, { pupilId }, from, to)}
    group by day order by day`.execute(db.tx);
  return rows;
}

/** The maximum number of sessions listed as evidence for an accuracy figure. */
const MAX_SESSIONS = 500;

interface AccuracySessionRow {
  id: string;
  book_id: number;
  book_title: string;
  started_at: Date;
  reading_level: number;
  words_attempted: number;
  words_correct: number;
}

/**
 * A pupil's sessions between two days, both included, at all levels or at one, the latest first.
 * @param timeZone the school's
 */
export async function listAccuracySessions(
  db: SchoolDb,
  pupilId: number,
  timeZone: string,
  { from, to }: { from: string; to: string },
  level: number | undefined,
): Promise<AccuracySessionRow[]> {
  const { rows } = await sql<AccuracySessionRow>`
    select s.id, s.book_id, b.title as book_title, s.started_at, s.reading_level, s.words_attempted, s.words_correct
    from reading_sessions s join books b on b.id = s.book_id
    where s.school_id = ${db.schoolId} and s.pupil_id = ${pupilId} and ${isReadingRow}
      and ${hasBegunOnDays(timeZone, from, to)}
      and ${level === undefined ? sql`true` : sql`s.reading_level = ${level}`}
    order by s.started_at desc, s.id desc limit ${MAX_SESSIONS}`.execute(db.tx);
  return rows;
}

/** Titles of the different books that a pupil completed between two days, both included, the latest first. */
export async function listCompletedTitles(db: SchoolDb, pupilId: number, from: string, to: string): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select b.title from (
      select book_id, max(day) as day from book_completions
      where school_id = ${db.schoolId} and pupil_id = ${pupilId} and day between ${from}::date and ${to}::date
      group by book_id
    ) completed join books b on b.id = completed.book_id
    order by completed.day desc, b.title, b.id`.execute(db.tx);
  return rows.map(({ title }) => title);
}
