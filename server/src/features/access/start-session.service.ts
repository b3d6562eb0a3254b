import type { User } from '#contract/calls/access.ts';
import type { Client } from '../../auth/client.ts';
import type { Config } from '../../config.ts';
import type { PlatformDb } from '../../database/platform-db.ts';
import { sessionInsert } from '../../auth/sessions.queries.ts';
import { hashToken, newToken } from '../../auth/tokens.ts';
import { recordDevice } from '../devices/devices.public.ts';
import { getUser } from './access.queries.ts';

interface SignIn {
  userId: number;
  schoolId: number | null;
  /** What the user logs in with; absent when an operator logs in as the user. */
  client?: Client;
  /** The operator who logs in as the user. */
  impersonatorId?: number;
  /** A sign-in provider has asked for a second factor, which the school declares to count. */
  hasProviderFactor?: boolean;
  /** Lifetime of the session in milliseconds; the usual one when absent. */
  lasts?: number;
}

/** Starts a session and returns the reply of every kind of login. A login from a new device is announced by email. */
export async function startSession(
  db: PlatformDb,
  { client, ...session }: SignIn,
  now: Date,
  config: Config,
): Promise<{ user: User; meta: { token: string } }> {
  const token = newToken();
  const tokenHash = hashToken(token);
  const device = client && (await recordDevice(db, { userId: session.userId, client, tokenHash }, now, config));
  const begun = sessionInsert({ tokenHash, ...session, device }, now);
  return { user: await getUser(db, session.userId, now, session.impersonatorId ?? null, begun), meta: { token } };
}
