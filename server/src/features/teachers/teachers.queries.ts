import type { SchoolDb } from '../../database/school.ts';
import { removeFromAllClasses } from '../classes/classes.public.ts';

/** The role of a member of the school's staff. */
export const findMember = (db: SchoolDb, userId: number) =>
  db.tx
    .selectFrom('staff')
    .select(['user_id', 'role'])
    .where('school_id', '=', db.schoolId)
    .where('user_id', '=', userId)
    .executeTakeFirst();

export async function setRole(db: SchoolDb, userId: number, role: 'admin' | 'teacher'): Promise<void> {
  await db.tx
    .updateTable('staff')
    .set({ role })
    .where('school_id', '=', db.schoolId)
    .where('user_id', '=', userId)
    .execute();
}

/** Removes a member of staff; returns how many classes now have no teacher. */
export async function removeMember(db: SchoolDb, userId: number): Promise<number> {
  const freed = await removeFromAllClasses(db, userId);
  await db.tx.deleteFrom('staff').where('school_id', '=', db.schoolId).where('user_id', '=', userId).execute();
  return freed;
}
