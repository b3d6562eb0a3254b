import { sql } from 'kysely';
import type { Days } from '#contract/school-calendar.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { isOnDays, pupilCondition, type Selection } from './selection.access.ts';

/** The pupils of a class and how long they read. */
export interface ClassTotals {
  /** Null for pupils without a class. */
  class_name: string | null;
  pupils: number;
  /** Pupils who read. */
  active_pupils: number;
  reading_time: number;
}

/** What the pupils of a class read at one level. */
export interface ClassLevelTotals {
  class_name: string | null;
  reading_level: number;
  words_attempted: number;
  words_correct: number;
}

const pupilsByClass = (db: SchoolDb) =>
  sql`pupils p left join classes c on c.school_id = ${db.schoolId} and c.id = p.class_id`;

/** The current pupils of a selection by class, with their reading between two days, both included. */
export async function listClassTotals(db: SchoolDb, selection: Selection, { from, to }: Days): Promise<ClassTotals[]> {
  const { rows } = await sql<ClassTotals>`
    select c.name as class_name, count(*) as pupils, count(read.pupil_id) as active_pupils,
      coalesce(sum(read.reading_time), 0) as reading_time
    from ${pupilsByClass(db)} left join (
      select pupil_id, sum(reading_time) as reading_time from reading_days
      where school_id = ${db.schoolId} and ${isOnDays(db, selection, from, to)}
      group by pupil_id
    ) read on read.pupil_id = p.id
    where p.school_id = ${db.schoolId} and p.archived_at is null and ${pupilCondition(db, selection, sql.ref('p.id'))}
    group by c.id, c.name`.execute(db.tx);
  return rows;
}

/** The words of the current pupils of a selection, by class and level, between two days, both included. */
export async function listClassLevelTotals(
  db: SchoolDb,
  selection: Selection,
  { from, to }: Days,
): Promise<ClassLevelTotals[]> {
  const { rows } = await sql<ClassLevelTotals>`
    select c.name as class_name, r.reading_level, sum(r.words_attempted) as words_attempted,
      sum(r.words_correct) as words_correct
    from ${pupilsByClass(db)} join reading_days r on r.school_id = ${db.schoolId} and r.pupil_id = p.id
    where p.school_id = ${db.schoolId} and p.archived_at is null and r.day between ${from}::date and ${to}::date
      and ${pupilCondition(db, selection, sql.ref('p.id'))}
    group by c.id, c.name, r.reading_level`.execute(db.tx);
  return rows;
}
