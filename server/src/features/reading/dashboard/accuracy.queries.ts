import { sql } from 'kysely';
import type { SchoolDb } from '../../../database/school.ts';
import { isOnDays, type Selection } from './charts.queries.ts';
import type { DateRange } from './date-range.service.ts';

/** A pupil's words at one level. */
export interface LevelTotals {
  pupil_id: number;
  reading_level: number;
  last_day: string;
  words_attempted: number;
  words_correct: number;
}

/** The words of each pupil of a selection at each level between two days, both included. */
export async function listLevelTotals(
  db: SchoolDb,
  selection: Selection,
  { from, to }: DateRange,
): Promise<LevelTotals[]> {
  const { rows } = await sql<LevelTotals>`
    select pupil_id, reading_level, max(day) as last_day, sum(words_attempted) as words_attempted,
      sum(words_correct) as words_correct
    from reading_days
    where school_id = ${db.schoolId} and ${isOnDays(db, selection, from, to)}
    group by pupil_id, reading_level`.execute(db.tx);
  return rows;
}
