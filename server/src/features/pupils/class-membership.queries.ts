import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';

/** Puts pupils into a class, whatever class they were in. Returns their names. */
export async function placePupils(
  db: SchoolDb,
  classId: number,
  pupilIds: readonly number[],
): Promise<{ id: number; name: string }[]> {
  if (pupilIds.length === 0) return [];
  return db.tx
    .updateTable('pupils')
    .set({ class_id: classId })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', sql<number>`any(${[...pupilIds]}::bigint[])`)
    .returning(['id', 'name'])
    .execute();
}

/** Puts those of the pupils who are still in `source` (null: in no class) into another class, or into none. Returns who they were. */
export function changeClassFrom(
  db: SchoolDb,
  pupilIds: readonly number[],
  source: number | null,
  target: number | null,
): Promise<{ id: number; name: string }[]> {
  return db.tx
    .updateTable('pupils')
    .set({ class_id: target })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', sql<number>`any(${[...pupilIds]}::bigint[])`)
    .where('class_id', source === null ? 'is' : '=', source)
    .returning(['id', 'name'])
    .execute();
}

/** Deletes a pupil with all that they read, their login and their sessions. False when the pupil is gone already. */
export async function removePupil(db: SchoolDb, pupilId: number): Promise<boolean> {
  if (!(await lockPupil(db, pupilId))) return false;
  await subtractFromSchoolTotals(db, pupilId);
  await db.tx.deleteFrom('pupils').where('school_id', '=', db.schoolId).where('id', '=', pupilId).execute();
  await db.tx.deleteFrom('pupil_logins').where('school_id', '=', db.schoolId).where('pupil_id', '=', pupilId).execute();
  await removePupilSessions(db, [pupilId]);
  return true;
}

/** Locks a pupil until the transaction ends, against sessions that come in meanwhile too; false when the pupil is gone. */
async function lockPupil(db: SchoolDb, pupilId: number): Promise<boolean> {
  const row = await db.tx
    .selectFrom('pupils')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where('id', '=', pupilId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes what a locked pupil read out of the totals of the school; days and levels on which nobody else read go. */
async function subtractFromSchoolTotals(db: SchoolDb, pupilId: number): Promise<void> {
  await sql`
    with gone as (
      delete from reading_days where school_id = ${db.schoolId} and pupil_id = ${pupilId}
      returning day, reading_level, reading_time, words_attempted, words_correct
    )
    insert into school_reading_days as days (school_id, day, reading_level, reading_time, words_attempted, words_correct)
    select ${db.schoolId}, day, reading_level, -reading_time, -words_attempted, -words_correct from gone
    -- The rows are there, so that each is updated; in the order in which the intake locks them.
    order by day, reading_level
    on conflict (school_id, day, reading_level) do update set
      reading_time = days.reading_time + excluded.reading_time,
      words_attempted = days.words_attempted + excluded.words_attempted,
      words_correct = days.words_correct + excluded.words_correct`.execute(db.tx);
  await sql`
    delete from school_reading_days days
    where school_id = ${db.schoolId} and reading_time = 0 and words_attempted = 0 and not exists (
      select from reading_days r where r.school_id = ${db.schoolId} and r.day = days.day and r.reading_level = days.reading_level
    )`.execute(db.tx);
}

/** Logs pupils out everywhere. */
export async function removePupilSessions(db: SchoolDb, pupilIds: readonly number[]): Promise<void> {
  await db.tx
    .deleteFrom('sessions')
    .where('school_id', '=', db.schoolId)
    .where('pupil_id', '=', sql<number>`any(${[...pupilIds]}::bigint[])`)
    .execute();
}
