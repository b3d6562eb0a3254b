import { sql } from 'kysely';
import type { Days } from '#contract/school-calendar.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { isOnDays, pupilCondition, type Selection } from '../dashboard/dashboard.public.ts';

/** A pupil's reading in one week. */
export interface PupilWeekRow {
  id: number;
  name: string;
  class_id: number | null;
  class_name: string | null;
  has_read: boolean;
  /** Active seconds. */
  reading_time: number;
  /** The level of the latest day with reading, the highest of several on that day; null without recent reading. */
  reading_level: number | null;
}

/**
 * Lists every pupil of a selection with their reading in a week, by name.
 * @param recent the days in which a pupil's level is looked up; they include the week
 */
export async function listPupilWeeks(
  db: SchoolDb,
  selection: Selection,
  week: Days,
  recent: Days,
): Promise<PupilWeekRow[]> {
  const inWeek = sql`day between ${week.from}::date and ${week.to}::date`;
  const { rows } = await sql<PupilWeekRow>`
    select p.id, p.name, p.class_id, c.name as class_name, coalesce(r.has_read, false) as has_read,
      coalesce(r.reading_time, 0) as reading_time, r.reading_level
    from pupils p
    left join classes c on c.school_id = ${db.schoolId} and c.id = p.class_id
    left join (
      select pupil_id, bool_or(${inWeek}) as has_read,
        coalesce(sum(reading_time) filter (where ${inWeek}), 0)::bigint as reading_time,
        (max(array[day - ${recent.from}::date, reading_level]))[2] as reading_level
      from reading_days
      where school_id = ${db.schoolId} and ${isOnDays(db, selection, recent.from, recent.to)}
      group by pupil_id
    ) r on r.pupil_id = p.id
    where p.school_id = ${db.schoolId} and p.archived_at is null and ${pupilCondition(db, selection, sql.ref('p.id'))}
    order by p.name_key, p.id`.execute(db.tx);
  return rows;
}

/** The active seconds that a selection read in each week with reading, from one day to another, both included. */
export async function listWeekTimes(db: SchoolDb, selection: Selection, { from, to }: Days): Promise<WeekTime[]> {
  // The whole school has totals of its own.
  const days = selection === 'school' ? sql`school_reading_days` : sql`reading_days`;
  const { rows } = await sql<WeekTime>`
    select date_trunc('week', day)::date as monday, sum(reading_time)::bigint as reading_time
    from ${days}
    where school_id = ${db.schoolId} and ${isOnDays(db, selection, from, to)}
    group by monday having sum(reading_time) > 0`.execute(db.tx);
  return rows;
}

export interface WeekTime {
  monday: string;
  reading_time: number;
}

/** The pupils of a selection whose first completed book of all fell in a week, by name. */
export async function listFirstBooks(
  db: SchoolDb,
  selection: Selection,
  { from, to }: Days,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select p.id, p.name from pupils p join lateral (
      select min(day) as day from book_completions where school_id = ${db.schoolId} and pupil_id = p.id
    ) first_book on first_book.day between ${from}::date and ${to}::date
    where p.school_id = ${db.schoolId} and p.archived_at is null and ${pupilCondition(db, selection, sql.ref('p.id'))}
    order by p.name_key, p.id`.execute(db.tx);
  return rows;
}
