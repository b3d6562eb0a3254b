import { sql } from 'kysely';
import type { SchoolDb } from '../../../database/school.ts';

/** A pupil's reading since a Monday; null columns when they have not read since. */
interface PupilReadingRow {
  id: number;
  name: string;
  last_read_on: string | null;
  /** Active seconds of each week. */
  weeks: number[] | null;
}

/**
 * Lists every pupil of a class with their reading in some weeks.
 * @param mondays the first days of the weeks, in order; the last is the current week
 * @param timeZone the school's
 */
export async function listPupilReading(
  db: SchoolDb,
  classId: number,
  mondays: readonly string[],
  timeZone: string,
): Promise<PupilReadingRow[]> {
  const weeks = sql.join(
    mondays.map(
      (monday) =>
        sql`coalesce(sum(reading_time) filter (where day >= ${monday}::date and day < ${monday}::date + 7), 0)::bigint`,
    ),
  );
  const { rows } = await sql<PupilReadingRow>`
    select p.id, p.name, (p.last_read_at at time zone ${timeZone})::date as last_read_on, recent.weeks
    from pupils p left join lateral (
      select array[${weeks}] as weeks
      from reading_days
      where school_id = ${db.schoolId} and pupil_id = p.id and day >= ${mondays[0]}::date
      having count(*) > 0
    ) recent on true
    where p.school_id = ${db.schoolId} and p.class_id = ${classId}
    order by p.name_key, p.id`.execute(db.tx);
  return rows;
}
