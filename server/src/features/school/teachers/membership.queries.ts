import type { PlatformDb } from '../../../database/platform-db.ts';

/** Removes an account from its school. */
export async function removeFromSchool(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.updateTable('users').set({ school_id: null }).where('id', '=', userId).execute();
}

/** Deletes the profiles of a standard account, except the demo. */
export async function removeOwnProfiles(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.deleteFrom('own_readers').where('user_id', '=', userId).where('type', '!=', 'demo').execute();
}
