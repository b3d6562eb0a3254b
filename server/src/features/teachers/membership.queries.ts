import type { PlatformDb } from '../../database/platform.ts';
import { insertStaff, putIntoSchool } from '../school/school.public.ts';

/** Leaves an account without a school. */
export async function removeFromSchool(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.updateTable('users').set({ school_id: null }).where('id', '=', userId).execute();
}

/** The school that an invite's link leads to. */
export async function findInviteSchool(db: PlatformDb, inviteId: string): Promise<number | undefined> {
  const row = await db.tx.selectFrom('invite_links').select('school_id').where('id', '=', inviteId).executeTakeFirst();
  return row?.school_id;
}

/** Makes an account a teacher's of a school. A standard account loses the readers of its own, demo readers excepted. */
export async function addToSchool(
  db: PlatformDb,
  user: { id: number; user_type: 'enterprise' | 'standard' },
  schoolId: number,
  now: Date,
): Promise<void> {
  if (user.user_type === 'standard')
    await db.tx.deleteFrom('own_readers').where('user_id', '=', user.id).where('type', '!=', 'demo').execute();
  await putIntoSchool(db, user.id, schoolId);
  await insertStaff(db, schoolId, user.id, 'teacher', now);
}
