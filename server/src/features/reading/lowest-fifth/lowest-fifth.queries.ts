import type { YearGroup } from '#contract/year-group.ts';
import type { Days } from '#contract/school-calendar.ts';
import { sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { LevelTotals } from '../dashboard/dashboard.public.ts';

interface PupilRow {
  id: number;
  name: string;
  class_id: number | null;
  class_name: string | null;
  year_group: YearGroup | null;
  year_group_since: string | null;
}

/** The current pupils of the school, by name. */
export async function listPupilsWithYear(db: SchoolDb): Promise<PupilRow[]> {
  const { rows } = await sql<PupilRow>`
    select p.id, p.name, p.class_id, c.name as class_name, p.year_group, p.year_group_since
    from pupils p left join classes c on c.school_id = ${db.schoolId} and c.id = p.class_id
    where p.school_id = ${db.schoolId} and p.archived_at is null
    order by p.name_key, p.id`.execute(db.tx);
  return rows;
}

/** A pupil's reading at one level in one of two periods. */
export interface PeriodTotals extends LevelTotals {
  is_recent: boolean;
  /** Active seconds. */
  reading_time: number;
}

/** The reading of pupils at each level, in two periods that follow each other. */
export async function listPeriodTotals(
  db: SchoolDb,
  pupilIds: readonly number[],
  before: Days,
  recent: Days,
): Promise<PeriodTotals[]> {
  const { rows } = await sql<PeriodTotals>`
    select pupil_id, reading_level, day >= ${recent.from}::date as is_recent, max(day) as last_day,
      sum(reading_time)::bigint as reading_time, sum(words_attempted)::bigint as words_attempted,
      sum(words_correct)::bigint as words_correct
    from reading_days
    where school_id = ${db.schoolId} and ${inIds('pupil_id', pupilIds)}
      and day between ${before.from}::date and ${recent.to}::date
    group by pupil_id, reading_level, is_recent`.execute(db.tx);
  return rows;
}

/** What staff did about a pupil's reason for needing help. */
export interface HelpRow {
  pupil_id: number;
  id: number;
  response: 'done' | 'snoozed';
  remark: string | null;
  reason: string;
  responded_by: number;
  responded_at: Date;
}

/** The reasons of pupils that are marked as done since a moment, and those that are snoozed now; the latest first. */
export async function listHelp(db: SchoolDb, pupilIds: readonly number[], since: Date, now: Date): Promise<HelpRow[]> {
  const { rows } = await sql<HelpRow>`
    select pupil_id, id, response, remark, reason, responded_by, responded_at
    from need_responses
    where school_id = ${db.schoolId} and ${inIds('pupil_id', pupilIds)} and responded_at > ${since}
      and (response = 'done' or until > ${now})
    order by responded_at desc, id desc`.execute(db.tx);
  return rows;
}

/** How many books are assigned to each pupil directly. Pupils without any are left out. */
export async function countOwnBooks(db: SchoolDb, pupilIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ pupil_id: number; books: number }>`
    select pupil_id, count(*)::int as books from pupil_books
    where school_id = ${db.schoolId} and ${inIds('pupil_id', pupilIds)}
    group by pupil_id`.execute(db.tx);
  return new Map(rows.map(({ pupil_id, books }) => [pupil_id, books]));
}
