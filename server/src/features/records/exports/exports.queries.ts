import { sql } from 'kysely';
import type { SchoolDb } from '../../../database/school.ts';

/** What a pupil read in a school year. */
export interface YearOfReading {
  pupil_id: number;
  /** The calendar year in which the school year begins. */
  year: number;
  /** Seconds. */
  reading_time: number;
  words_attempted: number;
  words_correct: number;
  /** Different books completed. */
  books: number;
}

/** What each pupil read in each school year, in order of years. */
export async function listYearsOfReading(db: SchoolDb): Promise<YearOfReading[]> {
  // A school year starts on 1 September: shifted by eight months it is the calendar year.
  const { rows } = await sql<YearOfReading>`
    select r.pupil_id, r.year, r.reading_time, r.words_attempted, r.words_correct, coalesce(b.books, 0) as books
    from (
      select pupil_id, extract(year from day - interval '8 months')::int as year, sum(reading_time) as reading_time,
        sum(words_attempted) as words_attempted, sum(words_correct) as words_correct
      from reading_days where school_id = ${db.schoolId} group by 1, 2
    ) r left join (
      select pupil_id, extract(year from day - interval '8 months')::int as year, count(distinct book_id) as books
      from book_completions where school_id = ${db.schoolId} group by 1, 2
    ) b on b.pupil_id = r.pupil_id and b.year = r.year
    order by r.pupil_id, r.year`.execute(db.tx);
  return rows;
}
