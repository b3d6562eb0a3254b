import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';

/** What a pupil read since a Monday; without reading only who it is and the last day, if there ever was one. */
interface PupilReadingRow {
  id: number;
  name: string;
  last_read_on: string | null;
  words_attempted: number | null;
  words_correct: number | null;
  reading_level: number | null;
  /** Active seconds of each week. */
  weeks: number[] | null;
}

/**
 * Every pupil of a class with the reading of some weeks.
 * @param mondays on which the weeks began, in order; the last week goes on
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
    select p.id, p.name, (p.last_read_at at time zone ${timeZone})::date as last_read_on, recent.words_attempted, recent.words_correct,
      recent.reading_level, recent.weeks
    from pupils p left join lateral (
      select sum(words_attempted) as words_attempted, sum(words_correct) as words_correct,
        (array_agg(reading_level order by day desc, reading_level desc))[1] as reading_level, array[${weeks}] as weeks
      from reading_days
      where school_id = ${db.schoolId} and pupil_id = p.id and day >= ${mondays[0]}::date
      having count(*) > 0
    ) recent on true
    where p.school_id = ${db.schoolId} and p.class_id = ${classId}
    order by p.name_key, p.id`.execute(db.tx);
  return rows;
}
