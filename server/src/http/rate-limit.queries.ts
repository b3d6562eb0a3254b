import { sql } from 'kysely';
import type { PlatformDb } from '../database/platform-db.ts';

/**
 * A window that ends later than its length allows was started by a clock that has since been corrected, so it has
 * expired. The tolerance covers processes whose clocks differ and requests that took long to arrive, which could
 * otherwise restart a window.
 */
const CLOCK_TOLERANCE_S = 5 * 60;

/** The wait after an attempt beyond `tries` of a limit that slows down: doubled by each, up to the last. */
const FIRST_DELAY_S = 5;
const MAX_DELAY_S = 300;
const MAX_DOUBLINGS = 10;

/** An attempt, counted under its key. */
export interface Attempt {
  key: string;
  tries: number;
  seconds: number;
  /** See `RateLimit`; true for at most one attempt of a request. */
  slowsDown: boolean;
}

/**
 * Counts attempts by key, for all processes together, except one that came before its wait was over.
 * @returns for each, in order: the seconds to wait, if it was too early or beyond what its window allows; otherwise 0
 */
export async function recordAttempts(db: PlatformDb, attempts: readonly Attempt[], now: Date): Promise<number[]> {
  const column = <T>(pick: (attempt: Attempt) => T) => attempts.map(pick);
  const ends = column(({ seconds }) => new Date(now.getTime() + seconds * 1000));
  const tolerance = sql`make_interval(secs => ${CLOCK_TOLERANCE_S})`;
  const isExpired = sql`(r.window_ends_at <= ${now} or r.window_ends_at > excluded.window_ends_at + ${tolerance})`;
  const slow = attempts.find(({ slowsDown }) => slowsDown);
  const isSlow = slow ? sql`r.key = ${slow.key}` : sql`false`;
  // The window of such a limit begins with its latest attempt.
  const delay = sql`make_interval(secs => least(${MAX_DELAY_S}::float8,
    ${FIRST_DELAY_S}::float8 * 2 ^ least(r.tries - ${slow?.tries ?? 0}::int, ${MAX_DOUBLINGS}::int)))`;
  const isTooEarly = sql`(${isSlow} and not ${isExpired} and r.tries >= ${slow?.tries ?? 0}::int
    and r.window_ends_at + ${delay} > excluded.window_ends_at)`;
  // Ordered by key, so that two simultaneous requests wait for each other and do not deadlock.
  const { rows } = await sql<{ key: string; tries: number; window_ends_at: Date }>`
    insert into rate_limits as r (key, tries, window_ends_at)
    select k.key, 1, k.ends
    from unnest(${column(({ key }) => key)}::text[], ${ends}::timestamptz[]) as k (key, ends)
    order by k.key collate "C"
    on conflict (key) do update set
      tries = case when ${isExpired} then 1 else r.tries + 1 end,
      window_ends_at = case when ${isExpired} or ${isSlow} then excluded.window_ends_at else r.window_ends_at end
    where not ${isTooEarly}
    returning key, tries, window_ends_at`.execute(db.tx);
  const waits = attempts.map(async ({ key, tries, seconds, slowsDown }) => {
    const row = rows.find((counted) => counted.key === key);
    if (row && (slowsDown || row.tries <= tries)) return 0;
    if (row) return Math.max(1, Math.ceil((row.window_ends_at.getTime() - now.getTime()) / 1000));
    const begunAt = new Date(now.getTime() + seconds * 1000);
    const found = await sql<{ wait: number }>`
      select extract(epoch from r.window_ends_at + ${delay} - ${begunAt}::timestamptz)::float8 as wait
      from rate_limits r where key = ${key}`.execute(db.tx);
    return Math.max(1, Math.ceil(found.rows[0]?.wait ?? FIRST_DELAY_S));
  });
  return Promise.all(waits);
}

/** Removes one attempt from a key's count. */
export async function returnAttempt(db: PlatformDb, key: string): Promise<void> {
  await sql`update rate_limits set tries = tries - 1 where key = ${key} and tries > 0`.execute(db.tx);
}

/** Deletes the attempts of a key. Plain SQL, because every login runs it. */
export async function removeAttempts(db: PlatformDb, key: string): Promise<void> {
  await sql`delete from rate_limits where key = ${key}`.execute(db.tx);
}
