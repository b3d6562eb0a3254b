import { sql } from 'kysely';
import { inBatch } from '../../database/batches.ts';
import type { PlatformDb } from '../../database/platform-db.ts';

/** Removes an account from its school. */
export async function removeFromSchool(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.updateTable('users').set({ school_id: null }).where('id', '=', userId).execute();
}

/** Deletes the profiles of a standard account, except the demo. */
export async function removeOwnProfiles(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.deleteFrom('own_readers').where('user_id', '=', userId).where('type', '!=', 'demo').execute();
}

/**
 * Deletes a batch of the invites that ended before a time, in all schools, with their links. Returns the number
 * deleted.
 */
export async function deleteOldInvites(db: PlatformDb, before: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from invites where ${inBatch('invites', ['school_id', 'id'], sql`expires_at <= ${before}`)} returning id`.execute(
    db.tx,
  );
  const ids = rows.map(({ id }) => id);
  await sql`delete from invite_links where invite_id = any (${ids}::uuid[])`.execute(db.tx);
  return rows.length;
}
