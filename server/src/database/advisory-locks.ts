import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Keys of PostgreSQL's advisory locks: numbers that no other program on the database uses. */
const KEYS = {
  /** Held while a process prepares the database, so that processes that start at the same time take turns. */
  start: 7_205_759_404,
  /** Held by a backup, and by a migration, which would wait for the dump's locks and be waited for. */
  backup: 8_461_093,
  /** Held by a restore to a copy beside the live database. */
  copy: 8_461_094,
  /** Held by the job that tests a backup, and while its scratch database is dropped. */
  restoreTest: 8_461_095,
};

/** The connection of a backup's dump in `pg_stat_activity`. It outlives a process that is killed, and so the lock. */
export const DUMP_NAME = 'portal-backup';

const POLL_MS = 250;

/** Sent without parameters: the portal of a parameterised statement keeps its snapshot until the next statement. */
async function tryLock(tx: Transaction<Tables>, key: keyof typeof KEYS): Promise<boolean> {
  const statement = `select pg_try_advisory_xact_lock(${KEYS[key]}) as is_free`;
  const { rows } = await sql.raw<{ is_free: boolean }>(statement).execute(tx);
  return rows[0]?.is_free ?? false;
}

/** A transaction that is idle while `work` goes on in other connections. It holds no snapshot, so nothing waits for it. */
function holdTransaction<T>(db: Kysely<Tables>, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    return work(tx);
  });
}

/** Runs `work` while holding a lock; undefined if another process holds it. */
export const withLockIfFree = <T>(
  db: Kysely<Tables>,
  key: keyof typeof KEYS,
  work: () => Promise<T>,
): Promise<T | undefined> => holdTransaction(db, async (tx) => ((await tryLock(tx, key)) ? work() : undefined));

/**
 * Runs `work` while holding a lock. It polls instead of waiting in PostgreSQL: a statement that waits holds a snapshot,
 * for which an index that another process builds concurrently waits in turn.
 * @param onWait called once if another process holds the lock
 */
export const withLock = <T>(
  db: Kysely<Tables>,
  key: keyof typeof KEYS,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> =>
  holdTransaction(db, async (tx) => {
    for (let tries = 0; !(await tryLock(tx, key)); tries += 1) {
      if (tries === 0) onWait();
      await wait(POLL_MS);
    }
    return work();
  });
