import { sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** The pupil of a username, with their password hash. Usernames consist of lower-case letters, digits and hyphens. */
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
    .leftJoin('school_closings as c', 'c.school_id', 's.id')
    .select(['p.school_id', 'p.id', 'p.name', 'p.username', 'p.password_hash', 'p.archived_at', 's.recording_enabled'])
    .select(sql<boolean>`c.closed_at is not null`.as('is_school_closed'))
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

/** A pupil's assigned books with their texts, by level and title; a book assigned both ways counts as the class's. */
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

/** Levels and page counts of books, by ID. */
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

/** A session that passed validation. */
export interface ValidSession {
  id: string;
  book_id: number;
  reading_level: number;
  started_at: Date;
  reading_time: number;
  last_page: number;
  words_attempted: number;
  words_correct: number;
  has_completed_book: boolean;
  heatmap: number[];
  played_words: string[];
  skipped_words: string[];
}

/** Figures of one day at one reading level. */
interface DayTotals {
  day: string;
  reading_level: number;
  reading_time: number;
  words_attempted: number;
  words_correct: number;
}

/**
 * Inserts the new sessions and adds them to the daily totals, completed books and last reading.
 * Plain statements, because a cluster routes each to one machine, but copies the results of writing common table
 * expressions to all of them. Locks rows in the same order everywhere (the pupil, sessions by ID, totals by day and
 * level), so that concurrent intakes wait without deadlocks.
 * @returns the number of new sessions, and the IDs that belong to another pupil, or to a time whose sessions the school
 * removed; undefined for a deleted pupil
 */
export async function insertSessions(
  db: SchoolDb,
  pupilId: number,
  given: readonly ValidSession[],
  now: Date,
): Promise<{ accepted: number; taken: string[]; expired: string[] } | undefined> {
  const pupil = await lockPupil(db, pupilId);
  if (!pupil) return undefined;
  const { timeZone, removedBefore } = pupil;
  // A session of a time whose sessions were removed may have been counted already.
  const isExpired = ({ started_at }: ValidSession) => removedBefore !== null && started_at <= removedBefore;
  const expired = given.filter(isExpired).map(({ id }) => id);
  const sessions = given.filter((session) => !isExpired(session));
  if (sessions.length === 0) return { accepted: 0, taken: [], expired };
  const inserted = await db.tx
    .insertInto('reading_sessions')
    .values(
      sessions
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map((session) => ({ ...session, school_id: db.schoolId, pupil_id: pupilId, received_at: now })),
    )
    .onConflict((conflict) => conflict.columns(['school_id', 'id']).doNothing())
    .returning(['id', sql<string>`(started_at at time zone ${timeZone})::date`.as('day')])
    .execute();
  const days = new Map(inserted.map(({ id, day }) => [id, day]));
  const added = sessions.flatMap((session) => {
    const day = days.get(session.id);
    return day === undefined ? [] : [{ ...session, day }];
  });
  if (added.length > 0) await addToTotals(db, pupilId, added);
  const stored = sessions.filter(({ id }) => !days.has(id)).map(({ id }) => id);
  return { accepted: added.length, taken: stored.length > 0 ? await findTaken(db, pupilId, stored) : [], expired };
}

/** Locks an active pupil. Returns the time zone of their school, and the time before which it removed sessions. */
async function lockPupil(
  db: SchoolDb,
  pupilId: number,
): Promise<{ timeZone: string; removedBefore: Date | null } | undefined> {
  const row = await db.tx
    .selectFrom('pupils as p')
    .innerJoin('schools as s', 's.id', 'p.school_id')
    .select((select) => [
      's.time_zone as timeZone',
      select
        .selectFrom('retention_periods')
        .select('removed_before')
        .where('school_id', '=', db.schoolId)
        .where('table_name', '=', 'reading_sessions')
        .as('removedBefore'),
    ])
    .where('s.id', '=', db.schoolId)
    .where('p.school_id', '=', db.schoolId)
    .where('p.id', '=', pupilId)
    .where('p.archived_at', 'is', null)
    .forNoKeyUpdate('p')
    .executeTakeFirst();
  return row;
}

/** Those of these sessions that belong to another pupil. */
async function findTaken(db: SchoolDb, pupilId: number, ids: readonly string[]): Promise<string[]> {
  const rows = await db.tx
    .selectFrom('reading_sessions')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .where('pupil_id', '<>', pupilId)
    .execute();
  return rows.map(({ id }) => id);
}

/** Adds new sessions to everything that is derived from them. The totals of the school come last, because all its pupils wait for them. */
async function addToTotals(
  db: SchoolDb,
  pupilId: number,
  added: readonly (ValidSession & { day: string })[],
): Promise<void> {
  const totals = sumByDay(added);
  const completed = new Map(
    added
      .filter(({ has_completed_book }) => has_completed_book)
      .map(({ day, book_id, reading_level }) => [`${day} ${book_id}`, { day, book_id, reading_level }]),
  );
  const latest = new Date(Math.max(...added.map(({ started_at }) => started_at.getTime())));
  await Promise.all([
    db.tx
      .insertInto('reading_days')
      .values(totals.map((total) => ({ school_id: db.schoolId, pupil_id: pupilId, ...total })))
      .onConflict((conflict) =>
        conflict.columns(['school_id', 'pupil_id', 'day', 'reading_level']).doUpdateSet(increase('reading_days')),
      )
      .execute(),
    completed.size > 0 &&
      db.tx
        .insertInto('book_completions')
        .values([...completed.values()].map((book) => ({ school_id: db.schoolId, pupil_id: pupilId, ...book })))
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    db.tx
      .updateTable('pupils')
      .set({ last_read_at: sql<Date>`greatest(last_read_at, ${latest}::timestamptz)` })
      .where('school_id', '=', db.schoolId)
      .where('id', '=', pupilId)
      .execute(),
    db.tx
      .insertInto('school_reading_days')
      .values(totals.map((total) => ({ school_id: db.schoolId, ...total })))
      .onConflict((conflict) =>
        conflict.columns(['school_id', 'day', 'reading_level']).doUpdateSet(increase('school_reading_days')),
      )
      .execute(),
  ]);
}

/** Adds the inserted figures to those of the existing row. */
function increase(table: 'reading_days' | 'school_reading_days') {
  const add = (column: string) => sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  return {
    reading_time: add('reading_time'),
    words_attempted: add('words_attempted'),
    words_correct: add('words_correct'),
  };
}

/** The sums of sessions by day and reading level, in that order. */
function sumByDay(sessions: readonly (ValidSession & { day: string })[]): DayTotals[] {
  const sums = new Map<string, DayTotals>();
  for (const { day, reading_level, reading_time, words_attempted, words_correct } of sessions) {
    const key = `${day} ${String(reading_level).padStart(2, '0')}`;
    const sum = sums.get(key) ?? { day, reading_level, reading_time: 0, words_attempted: 0, words_correct: 0 };
    sum.reading_time += reading_time;
    sum.words_attempted += words_attempted;
    sum.words_correct += words_correct;
    sums.set(key, sum);
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
