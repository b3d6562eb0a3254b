import { MAX_SCHOOLS } from '#contract/limits.ts';
import { type SqlBool, sql } from 'kysely';
import type { PlatformDb } from '../database/platform-db.ts';
import { AppError } from '../errors.ts';

// On the coordinator of a cluster, beside the accounts. What a person is in a school is in its `staff`: docs/decisions/memberships.md.

/** The school in which a login of the account `u` continues: the one entered last. Null without a school. */
export const LAST_SCHOOL = `(select m.school_id from user_schools m where m.user_id = u.id
  order by m.entered_at desc, m.school_id limit 1)`;

/** The account of a row of `users` belongs to no school. */
export const HAS_NO_SCHOOL = 'not exists (select from user_schools m where m.user_id = users.id)';

/** The account of a row of `users` belongs to no school but this one. */
export const hasNoOtherSchool = (schoolId: number) => sql<SqlBool>`
  not exists (select from user_schools m where m.user_id = users.id and m.school_id <> ${schoolId})`;

/** The schools of an account, the one entered last first. */
export async function listUserSchools(db: PlatformDb, userId: number): Promise<number[]> {
  const rows = await db.tx
    .selectFrom('user_schools')
    .select('school_id')
    .where('user_id', '=', userId)
    .orderBy('entered_at', 'desc')
    .orderBy('school_id')
    .execute();
  return rows.map(({ school_id }) => school_id);
}

/**
 * Adds an account to a school, which it enters. The account must be locked.
 * @param schoolIds the schools that it has
 */
export async function addUserSchool(
  db: PlatformDb,
  { id, schoolIds }: { id: number; schoolIds: readonly number[] },
  schoolId: number,
  now: Date,
): Promise<void> {
  if (schoolIds.includes(schoolId)) throw new AppError('already_on_staff');
  if (schoolIds.length >= MAX_SCHOOLS) throw new AppError('too_many_schools');
  await db.tx.insertInto('user_schools').values({ user_id: id, school_id: schoolId, entered_at: now }).execute();
}

/** Records that a user has switched to one of their schools. */
export async function enterUserSchool(db: PlatformDb, userId: number, schoolId: number, now: Date): Promise<void> {
  await db.tx
    .updateTable('user_schools')
    .set({ entered_at: now })
    .where('user_id', '=', userId)
    .where('school_id', '=', schoolId)
    .execute();
}

/** Removes an account from a school. */
export async function removeUserSchool(db: PlatformDb, userId: number, schoolId: number): Promise<void> {
  await db.tx.deleteFrom('user_schools').where('user_id', '=', userId).where('school_id', '=', schoolId).execute();
}
