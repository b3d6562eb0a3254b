import { sql } from 'kysely';
import { inIds } from '../../database/in-ids.ts';
import type { PlatformDb } from '../../database/platform-db.ts';
import type { SchoolDb } from '../../database/school.ts';

/** Where a username leads, with what proves it. Usernames are plain lower-case letters, digits and hyphens. */
export async function findPupilLogin(db: PlatformDb, username: string) {
  const login = await db.tx
    .selectFrom('pupil_logins')
    .select(['school_id', 'pupil_id'])
    .where('username', '=', username.normalize('NFKC').toLowerCase())
    .executeTakeFirst();
  if (!login) return undefined;
  return db.tx
    .selectFrom('pupils as p')
    .innerJoin('schools as s', 's.id', 'p.school_id')
    .select(['p.school_id', 'p.id', 'p.name', 'p.username', 'p.password_hash', 'p.archived_at', 's.recording_enabled'])
    .where('s.id', '=', login.school_id)
    .where('p.school_id', '=', login.school_id)
    .where('p.id', '=', login.pupil_id)
    .executeTakeFirst();
}

interface AssignedBook {
  id: number;
  title: string;
  reading_level: number;
  collection_key: string;
  pages_count: number;
  pages: string[];
  assigned_via: 'group' | 'reader';
}

/** The books assigned to a pupil with their texts, by level and title; a book assigned both ways counts as the class's. */
export async function listAssignedBooks(db: SchoolDb, pupilId: number): Promise<AssignedBook[]> {
  const { rows } = await sql<AssignedBook>`
    with assigned as (
      select book_id, min(via) as assigned_via from (
        select book_id, 'reader' as via from pupil_books where school_id = ${db.schoolId} and pupil_id = ${pupilId}
        union all
        select b.book_id, 'group' from class_books b join pupils p on p.class_id = b.class_id
        where b.school_id = ${db.schoolId} and p.school_id = ${db.schoolId} and p.id = ${pupilId}
      ) both_ways group by book_id
    )
    select b.id, b.title, b.reading_level, b.collection_key, b.pages_count, assigned_via,
      array(select text from book_pages where book_id = b.id order by page) as pages
    from assigned join books b on b.id = assigned.book_id
    order by b.reading_level, b.title`.execute(db.tx);
  return rows;
}

/** Levels and page counts of the books named, by id. */
export async function findBooks(
  db: SchoolDb,
  ids: readonly number[],
): Promise<Map<number, { reading_level: number; pages_count: number }>> {
  const rows = await db.tx
    .selectFrom('books')
    .select(['id', 'reading_level', 'pages_count'])
    .where(inIds('id', ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** A session that passed every rule. */
export interface GoodSession {
  id: string;
  book_id: number;
  reading_level: number;
  started_at: string;
  reading_time: number;
  last_page: number;
  words_attempted: number;
  words_correct: number;
  has_completed_book: boolean;
  heatmap: number[];
  played_words: string[];
  skipped_words: string[];
}

/**
 * Stores the sessions that are new, adds them to the daily totals and notes the books completed, in one statement;
 * then adds to the school's totals.
 * Rows are locked in one order everywhere, so that intakes at once wait and do not deadlock: the pupil, sessions by id,
 * the school's totals by day and level. Nothing is stored of a pupil who is gone.
 * @returns how many were new, and the ids among the others that belong to another pupil; undefined when the pupil is gone
 */
export async function insertSessions(
  db: SchoolDb,
  pupilId: number,
  sessions: readonly GoodSession[],
  now: Date,
): Promise<{ accepted: number; taken: string[] } | undefined> {
  const { rows } = await sql<{ is_there: boolean; accepted: number; taken: string[]; totals: object[] }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(sessions)}::jsonb) as s (
        id uuid, book_id bigint, reading_level smallint, started_at timestamptz, reading_time integer, last_page integer,
        words_attempted integer, words_correct integer, has_completed_book boolean, heatmap integer[], played_words text[], skipped_words text[])
    ), pupil as (
      select id from pupils where school_id = ${db.schoolId} and id = ${pupilId} and archived_at is null for no key update
    ), stored as (
      insert into reading_sessions (school_id, pupil_id, received_at, id, book_id, reading_level, started_at, reading_time, last_page,
        words_attempted, words_correct, has_completed_book, heatmap, played_words, skipped_words)
      select ${db.schoolId}, pupil.id, ${now}::timestamptz, given.* from given, pupil order by given.id
      on conflict (school_id, id) do nothing
      returning started_at, book_id, reading_level, reading_time, words_attempted, words_correct, has_completed_book
    ), dated as (
      select stored.*, (started_at at time zone time_zone)::date as day
      from stored, (select time_zone from schools where id = ${db.schoolId}) school
    ), summed as (
      select day, reading_level, sum(reading_time) as reading_time, sum(words_attempted) as words_attempted,
        sum(words_correct) as words_correct
      from dated group by day, reading_level order by day, reading_level
    ), totalled as (
      insert into reading_days as days (school_id, pupil_id, day, reading_level, reading_time, words_attempted, words_correct)
      select ${db.schoolId}, ${pupilId}::bigint, summed.* from summed order by day, reading_level
      on conflict (school_id, pupil_id, day, reading_level) do update set
        reading_time = days.reading_time + excluded.reading_time,
        words_attempted = days.words_attempted + excluded.words_attempted,
        words_correct = days.words_correct + excluded.words_correct
    ), completed as (
      insert into book_completions (school_id, pupil_id, day, book_id, reading_level)
      select distinct ${db.schoolId}::bigint, ${pupilId}::bigint, day, book_id, reading_level from dated
      where has_completed_book order by day, book_id, reading_level
      on conflict do nothing
    ), seen as (
      update pupils set last_read_at = greatest(last_read_at, latest.at)
      from (select max(started_at) as at from stored) latest
      where school_id = ${db.schoolId} and pupils.id = ${pupilId} and latest.at is not null
    )
    select exists (select from pupil) as is_there, (select count(*) from stored) as accepted,
      (select coalesce(json_agg(summed), '[]') from summed) as totals,
      array(select r.id::text from reading_sessions r join given on given.id = r.id
        where r.school_id = ${db.schoolId} and r.pupil_id <> ${pupilId}) as taken`.execute(db.tx);
  const [row] = rows;
  if (!row?.is_there) return undefined;
  if (row.totals.length > 0) await addToSchoolTotals(db, row.totals);
  return row;
}

/**
 * Adds to the totals of the school. A statement of its own, the last of the transaction: all pupils of the school wait
 * for these rows, which are thus not held while the keys of the sessions are checked.
 */
async function addToSchoolTotals(db: SchoolDb, totals: readonly object[]): Promise<void> {
  await sql`
    insert into school_reading_days as days (school_id, day, reading_level, reading_time, words_attempted, words_correct)
    select ${db.schoolId}, added.* from jsonb_to_recordset(${JSON.stringify(totals)}::jsonb) as added (
      day date, reading_level smallint, reading_time bigint, words_attempted bigint, words_correct bigint)
    order by day, reading_level
    on conflict (school_id, day, reading_level) do update set
      reading_time = days.reading_time + excluded.reading_time,
      words_attempted = days.words_attempted + excluded.words_attempted,
      words_correct = days.words_correct + excluded.words_correct`.execute(db.tx);
}
