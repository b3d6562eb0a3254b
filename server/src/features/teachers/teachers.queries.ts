import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';

/**
 * Holds the school's row until the transaction ends: changes of who is admin come one after the other,
 * so that two at once cannot take the last one away.
 */
export async function lockSchool(db: SchoolDb): Promise<void> {
  await db.tx
    .selectFrom('schools')
    .select('id')
    .where('id', '=', db.schoolId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** The role of a member of the school's staff. */
export const findMember = (db: SchoolDb, userId: number) =>
  db.tx
    .selectFrom('staff')
    .select(['user_id', 'role'])
    .where('school_id', '=', db.schoolId)
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** Admins of the school besides this one. */
export async function countOtherAdmins(db: SchoolDb, userId: number): Promise<number> {
  const { n } = await db.tx
    .selectFrom('staff')
    .select(sql<number>`count(*)`.as('n'))
    .where('school_id', '=', db.schoolId)
    .where('role', '=', 'admin')
    .where('user_id', '!=', userId)
    .executeTakeFirstOrThrow();
  return n;
}

export async function setRole(db: SchoolDb, userId: number, role: 'admin' | 'teacher'): Promise<void> {
  await db.tx
    .updateTable('staff')
    .set({ role })
    .where('school_id', '=', db.schoolId)
    .where('user_id', '=', userId)
    .execute();
}

/** Takes a person off the staff; returns how many classes have no teacher now. */
export async function removeMember(db: SchoolDb, userId: number): Promise<number> {
  const freed = await db.tx
    .updateTable('classes')
    .set({ manager_id: null })
    .where('school_id', '=', db.schoolId)
    .where('manager_id', '=', userId)
    .returning('id')
    .execute();
  await db.tx.deleteFrom('staff').where('school_id', '=', db.schoolId).where('user_id', '=', userId).execute();
  return freed.length;
}
