import { DEFAULT_THRESHOLDS, type NeedThresholds } from '#contract/calls/reading-needs.ts';
import { sql } from 'kysely';
import { isReadingRow } from '../../../database/is-reading.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { pupilCondition, type Selection } from '../dashboard/dashboard.public.ts';
import type { WordSession } from '../hard-words/hard-words.public.ts';
import { MAX_RECENT_SESSIONS, type RecentSession } from './need-rules.service.ts';
import type { ReadingWeeks } from './reading-week.service.ts';

/** A pupil of a selection. Days in the school's time zone. */
export interface PupilRow {
  id: number;
  name: string;
  class_id: number | null;
  class_name: string | null;
  joined_on: string;
  last_read_on: string | null;
  has_books: boolean;
}

/**
 * All pupils of a selection by name.
 * @param timeZone the school's
 */
export async function listPupilHistories(db: SchoolDb, selection: Selection, timeZone: string): Promise<PupilRow[]> {
  const { rows } = await sql<PupilRow>`
    select p.id, p.name, p.class_id, c.name as class_name, (p.created_at at time zone ${timeZone})::date as joined_on,
      (p.last_read_at at time zone ${timeZone})::date as last_read_on,
      exists (select from class_books where school_id = ${db.schoolId} and class_id = p.class_id)
        or exists (select from pupil_books where school_id = ${db.schoolId} and pupil_id = p.id) as has_books
    from pupils p
    left join classes c on c.school_id = ${db.schoolId} and c.id = p.class_id
    where p.school_id = ${db.schoolId} and p.archived_at is null and ${pupilCondition(db, selection, sql.ref('p.id'))}
    order by p.name_key, p.id`.execute(db.tx);
  return rows;
}

/** A pupil's reading in the weeks shown. Times in seconds. */
interface WeekRow {
  pupil_id: number;
  has_read: boolean;
  reading_time: number;
  had_read: boolean;
  reading_time_before: number;
}

/** The reading of each pupil of a selection in two ranges of days. */
export async function listWeekTotals(
  db: SchoolDb,
  selection: Selection,
  { shown, before }: ReadingWeeks,
): Promise<WeekRow[]> {
  const inShown = sql`day between ${shown.from}::date and ${shown.to}::date`;
  const inBefore = sql`day between ${before.from}::date and ${before.to}::date`;
  const { rows } = await sql<WeekRow>`
    select pupil_id, bool_or(${inShown}) as has_read, coalesce(sum(reading_time) filter (where ${inShown}), 0)::bigint as reading_time,
      bool_or(${inBefore}) as had_read, coalesce(sum(reading_time) filter (where ${inBefore}), 0)::bigint as reading_time_before
    from reading_days
    where school_id = ${db.schoolId} and (${inShown} or ${inBefore}) and ${pupilCondition(db, selection, sql.ref('pupil_id'))}
    group by pupil_id`.execute(db.tx);
  return rows;
}

/** A session as it is stored, without its book's details. Its words are taken from the pages, as in every reason. */
export type RecentSessionRow = Omit<RecentSession, 'book_title' | 'completed_ever'> &
  WordSession & { started_at: Date };

/**
 * The latest sessions of each pupil of a selection since a day, the latest first.
 * @param timeZone the school's
 */
export async function listRecentSessions(
  db: SchoolDb,
  selection: Selection,
  timeZone: string,
  from: string,
): Promise<RecentSessionRow[]> {
  const { rows } = await sql<RecentSessionRow>`
    select p.id as pupil_id, s.*
    from pupils p cross join lateral (
      select started_at, book_id, reading_level, last_page, words_attempted, words_correct, has_completed_book,
        false as has_words, played_words || skipped_words as hard_words
      from reading_sessions
      where school_id = ${db.schoolId} and pupil_id = p.id and ${isReadingRow}
        and started_at >= ${from}::date::timestamp at time zone ${timeZone}
      order by reading_sessions.started_at desc limit ${MAX_RECENT_SESSIONS}
    ) s
    where p.school_id = ${db.schoolId} and p.archived_at is null and ${pupilCondition(db, selection, sql.ref('p.id'))}
    order by s.started_at desc`.execute(db.tx);
  return rows;
}

/** A book that a pupil may have begun repeatedly. */
export interface BegunBook {
  pupil_id: number;
  book_id: number;
}

/** The books that their pupils have never completed, with their titles. */
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

/** The school's own thresholds, or the defaults. */
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
