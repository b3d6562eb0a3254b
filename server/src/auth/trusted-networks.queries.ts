import { sql } from 'kysely';
import { DAY_MS } from '../clock.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { digestNetwork } from './network.ts';
import type { KeyConfig } from './secrets-key.ts';

/** How long a network stays trusted after the last login of a pupil there. The table's retention deletes it then. */
const NETWORK_TTL_MS = 30 * DAY_MS;
/** The precision of the time of last use, so that the logins of a class do not wait for one row. */
const TOUCH_INTERVAL_MS = 3_600_000;

const digestFor = (config: KeyConfig, schoolId: number, address: string) =>
  digestNetwork(config, `school ${schoolId}`, address);

/** The school of a username, if its pupils have logged in from the network of this address. */
export async function findTrustingSchool(
  db: PlatformDb,
  config: KeyConfig,
  { username, address }: { username: string; address: string },
  now: Date,
): Promise<number | undefined> {
  // Two statements, because a cluster stores usernames on one machine and schools on others. Plain SQL, because every
  // login of a pupil runs it.
  const { rows: logins } = await sql<{ school_id: number }>`
    select school_id from pupil_logins where username = ${username}`.execute(db.tx);
  const schoolId = logins[0]?.school_id;
  if (schoolId === undefined) return undefined;
  const { rows } = await sql`
    select from trusted_networks where school_id = ${schoolId}
      and network_hash in (${sql.join(digestFor(config, schoolId, address))})
      and last_used_at > ${new Date(now.getTime() - NETWORK_TTL_MS)}`.execute(db.tx);
  return rows.length > 0 ? schoolId : undefined;
}

/** Trusts the network from which a pupil of a school has logged in. */
export async function trustNetwork(
  db: PlatformDb,
  config: KeyConfig,
  schoolId: number,
  address: string,
  now: Date,
): Promise<void> {
  const [digest] = digestFor(config, schoolId, address);
  const recent = new Date(now.getTime() - TOUCH_INTERVAL_MS);
  await sql`
    insert into trusted_networks (school_id, network_hash, last_used_at)
    select ${schoolId}::bigint, ${digest}::bytea, ${now}::timestamptz
    where not exists (select from trusted_networks
      where school_id = ${schoolId} and network_hash = ${digest} and last_used_at between ${recent} and ${now})
    on conflict (school_id, network_hash) do update set last_used_at = excluded.last_used_at
    returning last_used_at`.execute(db.tx);
}
