import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export interface RetryOptions {
  lockTimeoutMs?: number;
  /** Returns after a pause that grows with the number of attempts. */
  pause?: (attempt: number) => Promise<void>;
  /** Called with a line for the terminal. */
  onProgress?: (line: string) => void;
}

const LOCK_TIMEOUT_MS = 2000;
/** About a quarter of an hour, including the pauses. */
const MAX_ATTEMPTS = 30;
const MAX_PAUSE_MS = 30_000;

const backOff = (attempt: number): Promise<void> => wait(Math.min(2 ** attempt * 1000, MAX_PAUSE_MS));

/** `lock_not_available`, which a lock timeout raises, and `deadlock_detected`. */
const isLockFailure = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(String((error as { code?: string }).code));

/** The oldest other transaction of this database, which probably holds the lock. */
async function describeOldestTransaction(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ pid: number; name: string; seconds: number }>`
    select pid, coalesce(nullif(application_name, ''), 'unnamed') as name,
      extract(epoch from clock_timestamp() - xact_start)::int as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`.execute(db);
  const [oldest] = rows;
  return oldest ? ` The oldest transaction is ${oldest.seconds} s old (process ${oldest.pid}, ${oldest.name}).` : '';
}

/**
 * Runs `work` in a transaction that waits at most `lockTimeoutMs` for a lock, because all other queries on the table
 * queue behind it. A failed attempt is rolled back, and retried after a growing pause.
 */
export async function retryOnLockTimeout(
  db: Kysely<Tables>,
  name: string,
  work: (tx: Transaction<Tables>) => Promise<void>,
  { lockTimeoutMs = LOCK_TIMEOUT_MS, pause = backOff, onProgress }: RetryOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await db.transaction().execute(async (tx) => {
        // Behind a pooler the role's statement timeout applies to migrations too.
        await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true),
          set_config('statement_timeout', '0', true)`.execute(tx);
        await work(tx);
      });
    } catch (error) {
      if (!isLockFailure(error)) throw error;
      const cause = await describeOldestTransaction(db);
      if (attempt >= MAX_ATTEMPTS)
        throw new Error(`${name} could not lock its tables in ${attempt} attempts.${cause}`, { cause: error });
      onProgress?.(`${name} could not lock its tables (attempt ${attempt}); the portal tries again.${cause}`);
      await pause(attempt);
    }
}
