import { sql } from 'kysely';
import type { Device } from '../../../auth/known-devices.queries.ts';
import { listUserSchools } from '../../../auth/user-schools.queries.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withSchool } from '../../../database/school.ts';

const MAX_DEVICES = 20;

/**
 * Records a login from a device. `is_new`: the first one of this user from there; of simultaneous ones, one is new.
 * `has_others`: the user has logged in before. Plain SQL, because every login runs it.
 */
export async function recordLogin(
  db: PlatformDb,
  userId: number,
  { hash, networks }: Device,
  now: Date,
): Promise<{ is_new: boolean; has_others: boolean }> {
  const network = networks?.[0] ?? null;
  const { rows } = await sql<{ is_new: boolean; has_others: boolean }>`
    with used as (
      update devices set last_used_at = ${now}, network_hash = ${network} where user_id = ${userId} and token_hash = ${hash}),
    added as (
      insert into devices (user_id, token_hash, last_used_at, network_hash)
      values (${userId}, ${hash}, ${now}, ${network})
      on conflict do nothing returning 1)
    select exists (select from added) as is_new,
      exists (select from devices where user_id = ${userId})
        or exists (select from sessions where user_id = ${userId} and impersonator_id is null) as has_others`.execute(
    db.tx,
  );
  return rows[0] as { is_new: boolean; has_others: boolean };
}

/** Forgets the devices that a user has not used for longest, beyond the newest 20. */
export async function trimDevices(db: PlatformDb, userId: number): Promise<void> {
  await sql`
    delete from devices where user_id = ${userId} and token_hash in (
      select token_hash from devices where user_id = ${userId} order by last_used_at desc, token_hash offset ${MAX_DEVICES})`.execute(
    db.tx,
  );
}

/** The data of a mail about a login; undefined while the address is not confirmed and may belong to a stranger. */
export async function findRecipient(
  db: PlatformDb,
  userId: number,
): Promise<{ email: string; firstName: string; timeZone: string } | undefined> {
  const user = await db.tx
    .selectFrom('users')
    .select(['email', 'first_name as firstName'])
    .where('id', '=', userId)
    .where('email_confirmed_at', 'is not', null)
    .executeTakeFirst();
  if (!user) return undefined;
  const [schoolId] = await listUserSchools(db, userId);
  const school =
    schoolId === undefined
      ? undefined
      : await withSchool(db, schoolId, (own) =>
          own.tx.selectFrom('schools').select('time_zone').where('id', '=', schoolId).executeTakeFirst(),
        );
  return { ...user, timeZone: school?.time_zone ?? 'Europe/London' };
}

/** Forgets these devices of a user, except those on which the user is still logged in. */
export async function forgetDevices(db: PlatformDb, userId: number, hashes: readonly Buffer[]): Promise<void> {
  if (hashes.length === 0) return;
  await sql`
    delete from devices d where user_id = ${userId} and token_hash in (${sql.join(hashes)})
      and not exists (select from sessions s where s.user_id = ${userId} and s.device_hash = d.token_hash)`.execute(
    db.tx,
  );
}
