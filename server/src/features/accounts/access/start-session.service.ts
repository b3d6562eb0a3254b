import type { User } from '#contract/calls/access.ts';
import type { Client } from '../../../auth/client.ts';
import { insertLoginEvent } from '../../../auth/login-events.queries.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { removeSession, sessionInsert } from '../../../auth/sessions.queries.ts';
import { hashToken, newToken } from '../../../auth/tokens.ts';
import { recordDevice } from '../devices/devices.public.ts';
import { getUser } from './access.queries.ts';

interface SignIn {
  userId: number;
  schoolId: number | null;
  /** What the user logs in with, and how; absent when an operator logs in as the user. */
  login?: { client: Client; method: string };
  /** The operator who logs in as the user. */
  impersonatorId?: number;
  /** The operator's own session. */
  operatorSession?: Buffer;
  /** The account at a provider with which the user logs in. */
  linkedAccountId?: number | undefined;
  /** A sign-in provider has asked for a second factor, which the school declares to count. */
  hasProviderFactor?: boolean;
  /** Lifetime of the session in milliseconds; the usual one when absent. */
  lasts?: number;
}

/**
 * Starts a session, records the login in the user's school, and returns the reply of every kind of login. It replaces the
 * session that the browser had, also one of another user. A login from a new device is announced by email.
 */
export async function startSession(
  db: PlatformDb,
  { login, ...session }: SignIn,
  now: Date,
  config: Config,
): Promise<{ user: User; meta: { token: string } }> {
  const token = newToken();
  const tokenHash = hashToken(token);
  const { userId } = session;
  const device = login && (await recordDevice(db, { userId, client: login.client, tokenHash }, now, config));
  const user = await getUser(db, userId, now, session.impersonatorId ?? null, {
    insert: sessionInsert({ tokenHash, ...session, device }, now),
    insertInSchool: async (own) => {
      if (login)
        await insertLoginEvent(own, { schoolId: own.schoolId, person: { userId }, method: login.method, device }, now);
    },
  });
  if (login?.client.session?.isCookie) await removeSession(db, login.client.session.tokenHash);
  return { user, meta: { token } };
}
