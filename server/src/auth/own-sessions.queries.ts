import { sql } from 'kysely';
import type { PlatformDb } from '../database/platform-db.ts';
import { IDLE_TIMEOUT_MS } from './sessions.queries.ts';

// A user's sessions, as the user sees and ends them.

/** Returns whether a user is logged in on a device. */
export async function hasSessionOn(db: PlatformDb, userId: number, deviceHash: Buffer, now: Date): Promise<boolean> {
  const row = await db.tx
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('device_hash', '=', deviceHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many of their sessions a user sees. */
const MAX_LISTED_SESSIONS = 100;

/** A user's sessions without those of support, the latest use first. */
export const listOwnSessions = (db: PlatformDb, userId: number, now: Date) =>
  db.tx
    .selectFrom('sessions')
    .select(['token_hash', 'browser', 'system', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('impersonator_id', 'is', null)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', new Date(now.getTime() - IDLE_TIMEOUT_MS))
    .orderBy('last_used_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(MAX_LISTED_SESSIONS)
    .execute();

/** Ends a user's own session by its public ID, or all except one. Returns the devices of those that it ended. */
export async function endOwnSessions(
  db: PlatformDb,
  userId: number,
  which: { id: string } | { except: Buffer },
): Promise<{ device_hash: Buffer | null }[]> {
  const own = db.tx.deleteFrom('sessions').where('user_id', '=', userId).where('impersonator_id', 'is', null);
  const ended =
    'id' in which
      ? own.where(sql<string>`encode(sha256(token_hash), 'hex')`, '=', which.id)
      : own.where('token_hash', '!=', which.except);
  return ended.returning('device_hash').execute();
}
