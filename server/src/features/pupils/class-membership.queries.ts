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
  const { numDeletedRows } = await db.tx
    .deleteFrom('pupils')
    .where('school_id', '=', db.schoolId)
    .where('id', '=', pupilId)
    .executeTakeFirst();
  await db.tx.deleteFrom('pupil_logins').where('school_id', '=', db.schoolId).where('pupil_id', '=', pupilId).execute();
  await removePupilSessions(db, [pupilId]);
  return numDeletedRows > 0n;
}

/** Logs pupils out everywhere. */
export async function removePupilSessions(db: SchoolDb, pupilIds: readonly number[]): Promise<void> {
  await db.tx
    .deleteFrom('sessions')
    .where('school_id', '=', db.schoolId)
    .where('pupil_id', '=', sql<number>`any(${[...pupilIds]}::bigint[])`)
    .execute();
}
