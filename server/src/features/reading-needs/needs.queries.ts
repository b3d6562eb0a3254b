import { DEFAULT_THRESHOLDS, type NeedThresholds } from '#contract/calls/reading-needs.ts';
import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';
import { pupilCondition, type Selection } from '../dashboard/dashboard.public.ts';
import { LAST_SITTINGS, type Sitting } from './needs.service.ts';

/** A pupil of a selection. Days in the school's time zone. */
export interface PupilRow {
  id: number;
  name: string;
  class_id: number | null;
  class_name: string | null;
  joined_on: string;
  last_read_on: string | null;
  has_books: boolean;
  /** The reason for which a member of staff took the pupil off the list; null without one that still counts. */
  dismissal_reason: string | null;
  dismissed_by: number | null;
  dismissed_at: Date | null;
  dismissed_until: Date | null;
}

/**
 * All pupils of a selection by name.
 * @param timeZone the school's
 */
export async function listPupilHistories(
  db: SchoolDb,
  selection: Selection,
  timeZone: string,
  now: Date,
): Promise<PupilRow[]> {
  const { rows } = await sql<PupilRow>`
    select p.id, p.name, p.class_id, c.name as class_name, (p.created_at at time zone ${timeZone})::date as joined_on,
      (p.last_read_at at time zone ${timeZone})::date as last_read_on,
      exists (select from class_books where school_id = ${db.schoolId} and class_id = p.class_id)
        or exists (select from pupil_books where school_id = ${db.schoolId} and pupil_id = p.id) as has_books,
      d.reason as dismissal_reason, d.dismissed_by, d.dismissed_at, d.until as dismissed_until
    from pupils p
    left join classes c on c.school_id = ${db.schoolId} and c.id = p.class_id
    left join need_dismissals d on d.school_id = ${db.schoolId} and d.pupil_id = p.id and d.until > ${now}
    where p.school_id = ${db.schoolId} and p.archived_at is null and ${pupilCondition(db, selection, sql.ref('p.id'))}
    order by p.name_key, p.id`.execute(db.tx);
  return rows;
}

/** What a pupil read on one level. */
export interface LevelTotals {
  pupil_id: number;
  reading_level: number;
  last_day: string;
  words_attempted: number;
  words_correct: number;
}

/** What each pupil of a selection read on each level from a day on. */
export async function listLevelTotals(db: SchoolDb, selection: Selection, from: string): Promise<LevelTotals[]> {
  const { rows } = await sql<LevelTotals>`
    select pupil_id, reading_level, max(day) as last_day, sum(words_attempted) as words_attempted,
      sum(words_correct) as words_correct
    from reading_days
    where school_id = ${db.schoolId} and day >= ${from}::date and ${pupilCondition(db, selection, sql.ref('pupil_id'))}
    group by pupil_id, reading_level`.execute(db.tx);
  return rows;
}

/** A sitting as it is stored: without what only its book can tell. */
export type SittingRow = Omit<Sitting, 'book_title' | 'completed_ever'> & { pupil_id: number; started_at: Date };

/**
 * The last sittings of each pupil of a selection from a day on, the latest first.
 * @param timeZone the school's
 */
export async function listLastSittings(
  db: SchoolDb,
  selection: Selection,
  timeZone: string,
  from: string,
): Promise<SittingRow[]> {
  const { rows } = await sql<SittingRow>`
    select p.id as pupil_id, s.*
    from pupils p cross join lateral (
      select started_at, book_id, reading_level, last_page, words_attempted, words_correct, has_completed_book,
        played_words || skipped_words as hard_words
      from reading_sessions
      where school_id = ${db.schoolId} and pupil_id = p.id
        and started_at >= ${from}::date::timestamp at time zone ${timeZone}
      order by reading_sessions.started_at desc limit ${LAST_SITTINGS}
    ) s
    where p.school_id = ${db.schoolId} and p.archived_at is null and ${pupilCondition(db, selection, sql.ref('p.id'))}
    order by s.started_at desc`.execute(db.tx);
  return rows;
}

/** A book that a pupil may have begun again and again. */
export interface BegunBook {
  pupil_id: number;
  book_id: number;
}

/** Those of the books that their pupils have never completed, with their titles. */
export async function listNeverCompleted(
  db: SchoolDb,
  begun: readonly BegunBook[],
): Promise<(BegunBook & { title: string })[]> {
  if (begun.length === 0) return [];
  const { rows } = await sql<BegunBook & { title: string }>`
    select begun.pupil_id, begun.book_id, b.title
    from unnest(${begun.map(({ pupil_id }) => pupil_id)}::bigint[], ${begun.map(({ book_id }) => book_id)}::bigint[])
      as begun (pupil_id, book_id)
    join books b on b.id = begun.book_id
    where not exists (select from book_completions c
      where c.school_id = ${db.schoolId} and c.pupil_id = begun.pupil_id and c.book_id = begun.book_id)`.execute(db.tx);
  return rows;
}

/** When a pupil is on the list: what the school chose, or the usual. */
export async function getThresholds(db: SchoolDb): Promise<NeedThresholds> {
  const row = await db.tx
    .selectFrom('need_thresholds')
    .select(['days_without_reading', 'accuracy_below', 'falling_by', 'same_word_in', 'book_begun'])
    .where('school_id', '=', db.schoolId)
    .executeTakeFirst();
  return row ?? DEFAULT_THRESHOLDS;
}

export async function saveThresholds(db: SchoolDb, thresholds: NeedThresholds): Promise<void> {
  await db.tx
    .insertInto('need_thresholds')
    .values({ school_id: db.schoolId, ...thresholds })
    .onConflict((conflict) => conflict.column('school_id').doUpdateSet(thresholds))
    .execute();
}

/** Takes a pupil off the list until a moment, and forgets those of the school whose time is over. */
export async function saveDismissal(
  db: SchoolDb,
  pupilId: number,
  dismissal: { reason: string; dismissed_by: number; dismissed_at: Date; until: Date },
): Promise<void> {
  await db.tx
    .deleteFrom('need_dismissals')
    .where('school_id', '=', db.schoolId)
    .where('until', '<=', dismissal.dismissed_at)
    .execute();
  await db.tx
    .insertInto('need_dismissals')
    .values({ school_id: db.schoolId, pupil_id: pupilId, ...dismissal })
    .onConflict((conflict) => conflict.columns(['school_id', 'pupil_id']).doUpdateSet(dismissal))
    .execute();
}

/** Puts a pupil back on the list; true when they were off it. */
export async function removeDismissal(db: SchoolDb, pupilId: number): Promise<boolean> {
  const { numDeletedRows } = await db.tx
    .deleteFrom('need_dismissals')
    .where('school_id', '=', db.schoolId)
    .where('pupil_id', '=', pupilId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
