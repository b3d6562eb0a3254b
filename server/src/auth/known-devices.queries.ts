import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { DAY_MS } from '../clock.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import type { Client } from './client.ts';
import { digestNetwork } from './network.ts';
import type { KeyConfig } from './secrets-key.ts';
import { hashToken } from './tokens.ts';

/** How long a device stays known after the last login there. The table's retention deletes it then. */
const DEVICE_TTL_MS = 365 * DAY_MS;

/** What `devices` recognises a client by. */
export interface Device {
  hash: Buffer;
  /**
   * The digests of a program's network; null for a browser. Any program can send the name by which another is recognised,
   * so it is trusted only where it logged in last.
   */
  networks: [Buffer, ...Buffer[]] | null;
}

/** The device of a client: a browser by its cookie, a program by its name and network. */
export const deviceOf = (config: KeyConfig, { deviceToken, userAgent, address }: Client): Device =>
  deviceToken === null
    ? {
        hash: createHash('sha256').update(`program ${userAgent}`).digest(),
        networks: digestNetwork(config, 'program', address),
      }
    : { hash: hashToken(deviceToken), networks: null };

/** How a login names an account: by its email address, the token of a step that has begun, or a passkey. */
interface NamedAccount {
  emailKey?: string | undefined;
  stepToken?: string | undefined;
  credentialId?: string | undefined;
}

/**
 * The account that a login names, and whether this device is a known one of it. Before its address is confirmed an account
 * has no known devices: it may be a stranger's, and with `HIDE_ACCOUNTS` must look like one that does not exist.
 */
export async function findNamedAccount(
  db: PlatformDb,
  { emailKey, stepToken, credentialId }: NamedAccount,
  { hash, networks }: Device,
  now: Date,
): Promise<{ userId: number; isKnownDevice: boolean } | undefined> {
  const isNamed =
    emailKey !== undefined
      ? sql`u.email_key = ${emailKey}`
      : stepToken !== undefined
        ? sql`u.id = (select user_id from login_steps
            where token_hash = ${hashToken(stepToken)} and kind in ('second_factor', 'enrolment') and expires_at > ${now})`
        : sql`u.id = (select user_id from login_factors where credential_id = ${credentialId})`;
  const isSameNetwork = networks ? sql`d.network_hash in (${sql.join(networks)})` : sql`true`;
  // Plain SQL, because every login runs it.
  const { rows } = await sql<{ userId: number; isKnownDevice: boolean }>`
    select u.id as "userId", u.email_confirmed_at is not null and exists (
      select from devices d where d.user_id = u.id and d.token_hash = ${hash}
        and d.last_used_at > ${new Date(now.getTime() - DEVICE_TTL_MS)} and ${isSameNetwork}) as "isKnownDevice"
    from users u where ${isNamed}`.execute(db.tx);
  return rows[0];
}

/**
 * Forgets a user's devices: guesses from there count as a stranger's, and the next login there is announced.
 * @param exceptSession the hash of the session on whose device the user is
 */
export async function forgetAllDevices(db: PlatformDb, userId: number, exceptSession?: Buffer): Promise<void> {
  const isOther = exceptSession
    ? sql`token_hash is distinct from (select device_hash from sessions where token_hash = ${exceptSession})`
    : sql`true`;
  await sql`delete from devices where user_id = ${userId} and ${isOther}`.execute(db.tx);
}
