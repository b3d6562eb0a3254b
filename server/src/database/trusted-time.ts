import { sql } from 'kysely';
import { addDays, type Clock, dayIn } from '../clock.ts';
import type { PlatformDb } from './platform-db.ts';

/*
 * A clock that is set weeks ahead makes everything look overdue, and what is deleted for good does not come back when it
 * is set right. The portal cannot tell it from a stop of weeks, so after either the first night deletes nothing and fails,
 * which raises an alarm, and the next one goes on. The records of the nights show the gap.
 */

/** After a longer gap between nights the first one deletes nothing. A portal may be stopped for a school holiday. */
const MAX_GAP_DAYS = 14;
/** Such a night is recorded under this name instead of those of tables. */
export const CLOCK_JUMP = 'clock';

const nightOf = (clock: Clock): string => dayIn('Europe/London', clock.now());

const isNear = (last: string | null | undefined, night: string): boolean =>
  !last || last >= addDays(night, -MAX_GAP_DAYS);

/** Begins a night. Returns false, and records it, if the night deletes nothing. */
export async function startNight({ tx }: PlatformDb, clock: Clock): Promise<boolean> {
  if (clock.isMovedByTests) return true;
  const night = nightOf(clock);
  await sql`delete from retention_runs where table_name = ${CLOCK_JUMP} and day > ${night}`.execute(tx);
  const { rows } = await sql<{ last: string | null }>`
    select max(day) as last from retention_runs where day < ${night}`.execute(tx);
  if (isNear(rows[0]?.last, night)) return true;
  await sql`
    insert into retention_runs (day, table_name, has_failed) values (${night}, ${CLOCK_JUMP}, true)
    on conflict do nothing`.execute(tx);
  return false;
}

/** Returns whether a night that deleted something was recent enough to go on deleting by the clock. */
export async function isTimeTrusted({ tx }: PlatformDb, clock: Clock): Promise<boolean> {
  if (clock.isMovedByTests) return true;
  const night = nightOf(clock);
  const { rows } = await sql<{ last: string | null }>`
    select max(day) as last from retention_runs where day <= ${night} and table_name <> ${CLOCK_JUMP}`.execute(tx);
  return isNear(rows[0]?.last, night);
}
