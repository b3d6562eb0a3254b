import type { Client } from '../auth/client.ts';
import { deviceOf, findNamedAccount } from '../auth/known-devices.queries.ts';
import { networkOf } from '../auth/network.ts';
import { findTrustingSchool } from '../auth/trusted-networks.queries.ts';
import type { Config } from '../config.ts';
import type { PlatformDb } from '../database/platform-db.ts';

/** The form in which names of accounts are compared. */
export const normalizeName = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** The text that a body has in a field; undefined for anything else. */
export function textIn(body: unknown, field: string): string | undefined {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Who sent an attempt to log in, as far as the account that it names knows them. */
export interface RecognisedCaller {
  /** The user whose account is named. */
  userId?: number;
  /** Unique for the account and a known device of it, or a trusted network of the pupil's school. Undefined for a stranger. */
  lane?: string;
}

/**
 * Recognises who tries to log in: as a user from a known device of that user, or as a pupil from a network where pupils
 * of that school log in. See docs/decisions/known-devices.md.
 */
export async function recogniseCaller(
  db: PlatformDb,
  config: Config,
  { client, body }: { client: Client; body: unknown },
  now: Date,
): Promise<RecognisedCaller> {
  const username = textIn(body, 'username');
  if (username !== undefined) {
    const named = normalizeName(username);
    const schoolId = await findTrustingSchool(db, config, { username: named, address: client.address }, now);
    return schoolId === undefined ? {} : { lane: `pupil ${schoolId} ${named} ${networkOf(client.address)}` };
  }
  const email = textIn(body, 'email');
  const name = {
    emailKey: email === undefined ? undefined : normalizeName(email),
    stepToken: textIn(body, 'token'),
    credentialId: textIn((body as { passkey?: unknown } | undefined)?.passkey, 'id'),
  };
  if (Object.values(name).every((value) => value === undefined)) return {};
  const device = deviceOf(config, client);
  const account = await findNamedAccount(db, name, device, now);
  if (!account) return {};
  const { userId, isKnownDevice } = account;
  return { userId, ...(isKnownDevice && { lane: `user ${userId} ${device.hash.toString('base64url')}` }) };
}
