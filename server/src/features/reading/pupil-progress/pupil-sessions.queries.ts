import { type RawBuilder, sql } from 'kysely';
import { isReadingRow } from '../../../database/is-reading.ts';
import type { SchoolDb } from '../../../database/school.ts';

export interface SessionRow {
  id: string;
  book_id: number;
  book_title: string;
  started_at: Date;
  reading_time: number;
  total_reading_time: number;
  words_attempted: number;
  words_correct: number;
  /** Words of this reading of the book: the sessions since it was last completed, up to and including this one. */
  reading_attempted: number;
  reading_correct: number;
  has_completed_book: boolean;
  was_completed_before: boolean;
  last_page: number;
  heatmap: number[];
  played_words: string[];
  skipped_words: string[];
  is_reading: boolean;
  clock: 'corrected' | 'arrival' | null;
}

/** A book's page lists this many sessions at most. */
const MAX_SESSIONS = 500;

/** A pupil's sessions, each with the running totals of its book. */
const summedSessions = (db: SchoolDb, pupilId: number, condition: RawBuilder<unknown>) => sql`
    numbered as (
      select *, ${isReadingRow} as is_reading, coalesce(sum(has_completed_book::int) over (
        partition by book_id order by started_at, id rows between unbounded preceding and 1 preceding), 0) as reading_number
      from reading_sessions
      where school_id = ${db.schoolId} and pupil_id = ${pupilId} and ${condition}
    ), summed as (
      select *,
        coalesce(sum(reading_time) filter (where is_reading) over (partition by book_id order by started_at, id), 0) as total_reading_time,
        coalesce(sum(words_attempted) filter (where is_reading)
          over (partition by book_id, reading_number order by started_at, id), 0) as reading_attempted,
        coalesce(sum(words_correct) filter (where is_reading)
          over (partition by book_id, reading_number order by started_at, id), 0) as reading_correct
      from numbered
    )`;

const SESSION_COLUMNS = sql`s.id, book_id, books.title as book_title, started_at, reading_time, total_reading_time, words_attempted,
      words_correct, reading_attempted, reading_correct, has_completed_book, reading_number > 0 as was_completed_before, last_page, heatmap, played_words, skipped_words,
      is_reading, clock`;

/** The latest session of each book that a pupil read in a time range, the newest first. */
export async function listLatestSessions(db: SchoolDb, pupilId: number, from: Date, to: Date): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    with ${summedSessions(db, pupilId, sql`started_at <= ${to}`)}, latest as (
      select distinct on (book_id) * from summed where started_at >= ${from} order by book_id, started_at desc, id desc
    )
    select ${SESSION_COLUMNS} from latest s join books on books.id = book_id
    order by started_at desc, s.id desc`.execute(db.tx);
  return rows;
}

/** A pupil's sessions with one book, the newest first. */
export async function listSessionsOfBook(db: SchoolDb, pupilId: number, bookId: number): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    with ${summedSessions(db, pupilId, sql`book_id = ${bookId}`)}
    select ${SESSION_COLUMNS} from summed s join books on books.id = book_id
    order by started_at desc, s.id desc limit ${MAX_SESSIONS}`.execute(db.tx);
  return rows;
}

export interface ReadingFigures {
  reading_time: number;
  books_read: number;
  books_completed: number;
  books_in_progress: number;
}

/** The sums of a pupil's sessions in a time range. A book is in progress or completed by any session, and read by reading. */
export async function getReadingFigures(db: SchoolDb, pupilId: number, from: Date, to: Date): Promise<ReadingFigures> {
  const { rows } = await sql<ReadingFigures>`
    with read as (
      select book_id,
        sum(reading_time) filter (where started_at >= ${from} and ${isReadingRow}) as reading_time,
        bool_or(started_at >= ${from} and ${isReadingRow}) as has_reading,
        bool_or(has_completed_book) as completed_ever,
        bool_or(has_completed_book and started_at >= ${from}) as completed
      from reading_sessions
      where school_id = ${db.schoolId} and pupil_id = ${pupilId} and started_at <= ${to}
      group by book_id
      having max(started_at) >= ${from}
    )
    select coalesce(sum(reading_time), 0)::bigint as reading_time, count(*) filter (where has_reading) as books_read,
      count(*) filter (where completed) as books_completed, count(*) filter (where not completed_ever) as books_in_progress
    from read`.execute(db.tx);
  return rows[0] as ReadingFigures;
}

/** The number of books assigned to a pupil, through the class or directly, that they have never opened. */
export async function countBooksNotStarted(db: SchoolDb, pupilId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select book_id from pupil_books where school_id = ${db.schoolId} and pupil_id = ${pupilId}
      union
      select b.book_id from class_books b join pupils p on p.class_id = b.class_id
      where b.school_id = ${db.schoolId} and p.school_id = ${db.schoolId} and p.id = ${pupilId}
    ) assigned
    where not exists (
      select from reading_sessions r where r.school_id = ${db.schoolId} and r.pupil_id = ${pupilId} and r.book_id = assigned.book_id
    )`.execute(db.tx);
  return rows[0]?.n ?? 0;
}
