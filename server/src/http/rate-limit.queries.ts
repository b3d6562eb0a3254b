import { sql } from 'kysely';
import type { PlatformDb } from '../database/platform-db.ts';

/**
 * A window that ends later than its length allows was started by a clock that has since been corrected, so it has
 * expired. The tolerance covers processes whose clocks differ and requests that took long to arrive, which could
 * otherwise restart a window.
 */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** An attempt, counted under `shared`, or under `own` while the window of `known` is open. */
export interface Attempt {
  shared: string;
  own: string;
  known: string | null;
  seconds: number;
}

/**
 * Counts attempts by key, for all processes together.
 * @returns for each, in order: the attempts in the current window, including this one, and the seconds until it ends
 */
export async function recordAttempts(
  db: PlatformDb,
  attempts: readonly Attempt[],
  knownAddressMs: number,
  now: Date,
): Promise<{ tries: number; endsIn: number }[]> {
  const column = <T>(pick: (one: Attempt) => T) => attempts.map(pick);
  const ends = column(({ seconds }) => new Date(now.getTime() + seconds * 1000));
  const tolerance = sql`make_interval(secs => ${CLOCK_TOLERANCE_MS / 1000})`;
  const isExpired = sql`(r.window_ends_at <= ${now} or r.window_ends_at > excluded.window_ends_at + ${tolerance})`;
  const latestKnown = new Date(now.getTime() + knownAddressMs + CLOCK_TOLERANCE_MS);
  // Ordered by key, so that two simultaneous requests wait for each other and do not deadlock.
  const { rows } = await sql<{ key: string; tries: number; window_ends_at: Date }>`
    insert into rate_limits as r (key, tries, window_ends_at)
    select case when k.known is not null and exists (select from rate_limits where key = k.known and window_ends_at > ${now} and window_ends_at <= ${latestKnown})
      then k.own else k.shared end as key, 1, k.ends
    from unnest(${column(({ shared }) => shared)}::text[], ${column(({ own }) => own)}::text[],
      ${column(({ known }) => known)}::text[], ${ends}::timestamptz[]) as k (shared, own, known, ends)
    order by 1
    on conflict (key) do update set
      tries = case when ${isExpired} then 1 else r.tries + 1 end,
      window_ends_at = case when ${isExpired} then excluded.window_ends_at else r.window_ends_at end
    returning key, tries, window_ends_at`.execute(db.tx);
  return attempts.map(({ shared, own }) => {
    const row = rows.find(({ key }) => key === shared || key === own);
    if (!row) throw new Error('An attempt was not counted.');
    return {
      tries: row.tries,
      endsIn: Math.max(1, Math.ceil((row.window_ends_at.getTime() - now.getTime()) / 1000)),
    };
  });
}

/** Removes one attempt from a key's count. */
export async function returnAttempt(db: PlatformDb, key: string): Promise<void> {
  await sql`update rate_limits set tries = tries - 1 where key = ${key} and tries > 0`.execute(db.tx);
}

/** Deletes the attempts of keys after a success. `known` starts a window until its end. */
export async function removeAttempts(
  db: PlatformDb,
  keys: readonly string[],
  known: { key: string; ends: Date } | undefined,
): Promise<void> {
  // Plain SQL, because every login runs it.
  const forget = sql`delete from rate_limits where key = any (${[...keys]}::text[])`;
  const statement = known
    ? sql`with forgotten as (${forget}) insert into rate_limits (key, tries, window_ends_at) values (${known.key}, 1, ${known.ends})
        on conflict (key) do update set window_ends_at = excluded.window_ends_at`
    : forget;
  await statement.execute(db.tx);
}
