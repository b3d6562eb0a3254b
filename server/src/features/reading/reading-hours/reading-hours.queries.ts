import type { ReadingHours } from '#contract/calls/pupil-progress.ts';
import { type Days, listSchoolDays } from '#contract/school-calendar.ts';
import { sql } from 'kysely';
import { isReadingRow } from '../../../database/is-reading.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { getCalendar, hoursOf, type SchoolRow } from '../../school/school/school.public.ts';
import { hasBegunOnDays, pupilCondition, type Selection } from '../dashboard/dashboard.public.ts';

/**
 * Every figure of reading in and out of school hours: the active seconds of a selection between two days, both included. A
 * session counts as a whole, by the local time at which it began.
 */
export async function sumReadingHours(
  db: SchoolDb,
  selection: Selection,
  school: SchoolRow,
  days: Days,
): Promise<ReadingHours> {
  const schoolDays = listSchoolDays(await getCalendar(db), days);
  const hours = hoursOf(school);
  const { rows } = await sql<ReadingHours>`
    select coalesce(sum(reading_time) filter (where is_in_school), 0)::bigint as in_school,
      coalesce(sum(reading_time) filter (where not is_in_school), 0)::bigint as outside
    from (
      select s.reading_time, local.began_at::time >= ${hours.from}::time and local.began_at::time < ${hours.to}::time
        and local.began_at::date = any(${schoolDays}::date[]) as is_in_school
      from reading_sessions s
      cross join lateral (select s.started_at at time zone ${school.time_zone} as began_at) local
      where s.school_id = ${db.schoolId} and ${isReadingRow} and ${hasBegunOnDays(school.time_zone, days.from, days.to)}
        and ${pupilCondition(db, selection, sql.ref('s.pupil_id'))}
    ) sessions`.execute(db.tx);
  return rows[0] ?? { in_school: 0, outside: 0 };
}
