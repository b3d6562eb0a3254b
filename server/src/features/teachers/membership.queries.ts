import type { PlatformDb } from '../../database/platform.ts';

/** Leaves an account without a school. */
export async function removeFromSchool(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.updateTable('users').set({ school_id: null }).where('id', '=', userId).execute();
}

/** Removes the profiles of a standard account, all but the demo. */
export async function removeOwnProfiles(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.deleteFrom('own_readers').where('user_id', '=', userId).where('type', '!=', 'demo').execute();
}
