import type { PlatformDb } from '../../database/platform.ts';

/** Leaves an account without a school. */
export async function removeFromSchool(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.updateTable('users').set({ school_id: null }).where('id', '=', userId).execute();
}

/** The school that an invite's link leads to. */
export async function findInviteSchool(db: PlatformDb, inviteId: string): Promise<number | undefined> {
  const row = await db.tx.selectFrom('invite_links').select('school_id').where('id', '=', inviteId).executeTakeFirst();
  return row?.school_id;
}

/** Removes the profiles of a standard account, all but the demo. */
export async function removeOwnProfiles(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.deleteFrom('own_readers').where('user_id', '=', userId).where('type', '!=', 'demo').execute();
}
