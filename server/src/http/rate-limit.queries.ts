import { sql } from 'kysely';
import type { PlatformDb } from '../database/platform.ts';

/**
 * Counts a try against a key, for all processes together.
 * @returns tries in the running window, this one included, and the seconds until it ends
 */
export async function countTry(
  db: PlatformDb,
  key: string,
  seconds: number,
  now: Date,
): Promise<{ tries: number; endsIn: number }> {
  const ends = new Date(now.getTime() + seconds * 1000);
  const row = await db.tx
    .insertInto('rate_limits')
    .values({ key, tries: 1, window_ends_at: ends })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        tries: sql`case when rate_limits.window_ends_at <= ${now} then 1 else rate_limits.tries + 1 end`,
        window_ends_at: sql`case when rate_limits.window_ends_at <= ${now} then excluded.window_ends_at else rate_limits.window_ends_at end`,
      }),
    )
    .returning(['tries', 'window_ends_at'])
    .executeTakeFirstOrThrow();
  return { tries: row.tries, endsIn: Math.max(1, Math.ceil((row.window_ends_at.getTime() - now.getTime()) / 1000)) };
}

/** True while the window of a key runs. */
export async function hasWindow(db: PlatformDb, key: string, now: Date): Promise<boolean> {
  const row = await db.tx
    .selectFrom('rate_limits')
    .select('key')
    .where('key', '=', key)
    .where('window_ends_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets the tries of keys: who proved to be the owner starts afresh. */
export async function forgetTries(db: PlatformDb, keys: readonly string[]): Promise<void> {
  await db.tx.deleteFrom('rate_limits').where('key', 'in', keys).execute();
}

/** Forgets windows that are over. */
export async function removeOldTries(db: PlatformDb, now: Date): Promise<void> {
  await db.tx.deleteFrom('rate_limits').where('window_ends_at', '<=', now).execute();
}
