import { isReading } from '#contract/is-reading.ts';
import { sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { addToDailyTotals, type CountedSession } from './daily-totals.queries.ts';
import { addToWordDays } from './word-days.queries.ts';
import type { WordCounts } from './word-days.service.ts';

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
export interface ValidSession extends Omit<CountedSession, 'day'> {
  /** In lower case. */
  id: string;
  last_page: number;
  heatmap: number[];
  played_words: string[];
  skipped_words: string[];
  has_words: boolean;
  /** Null for the tablet's own time of the start. */
  clock: 'corrected' | 'arrival' | null;
  /** The counts of the words that the app sent; undefined if it sent none. */
  words: WordCounts | undefined;
}

/**
 * Inserts the new sessions and adds them to the daily totals.
 * Locks rows in the same order everywhere (the pupil, sessions by ID, totals by day and level), so that concurrent
 * intakes wait without deadlocks. Plain statements, because a cluster routes each to one machine, but copies the results
 * of writing common table expressions to all of them.
 * @returns the number of new sessions, and the IDs that belong to another pupil, or to a time whose sessions the school
 * removed; undefined for a deleted pupil
 */
export async function insertSessions(
  db: SchoolDb,
  pupilId: number,
  sessions: readonly ValidSession[],
  now: Date,
): Promise<{ accepted: number; taken: string[]; expired: string[] } | undefined> {
  const pupil = await lockPupil(db, pupilId);
  if (!pupil) return undefined;
  const { timeZone, removedBefore } = pupil;
  // A session of a time whose sessions were removed may have been counted already.
  const isExpired = ({ started_at }: ValidSession) => removedBefore !== null && started_at <= removedBefore;
  const expired = sessions.filter(isExpired).map(({ id }) => id);
  const retained = sessions.filter((session) => !isExpired(session));
  if (retained.length === 0) return { accepted: 0, taken: [], expired };
  const inserted = await db.tx
    .insertInto('reading_sessions')
    .values(
      retained
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ words: _, ...session }) => ({
          ...session,
          school_id: db.schoolId,
          pupil_id: pupilId,
          received_at: now,
        })),
    )
    .onConflict((conflict) => conflict.columns(['school_id', 'id']).doNothing())
    .returning(['id', sql<string>`(started_at at time zone ${timeZone})::date`.as('day')])
    .execute();
  const days = new Map(inserted.map(({ id, day }) => [id, day]));
  const added = retained.flatMap((session) => {
    const day = days.get(session.id);
    return day === undefined ? [] : [{ ...session, day }];
  });
  if (added.length > 0) {
    await addToDailyTotals(db, pupilId, added);
    await addToWordDays(db, pupilId, added.filter(isReading));
  }
  const storedBefore = retained.filter(({ id }) => !days.has(id)).map(({ id }) => id);
  const taken = storedBefore.length > 0 ? await findTaken(db, pupilId, storedBefore) : [];
  return { accepted: added.length, taken, expired };
}

/** Locks an active pupil. Returns the time zone of their school, and the time before which it removed sessions. */
const lockPupil = (db: SchoolDb, pupilId: number) =>
  db.tx
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
