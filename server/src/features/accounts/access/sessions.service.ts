import type { User } from '#contract/calls/access.ts';
import type { Client } from '../../../auth/client.ts';
import { forgetAllDevices } from '../../../auth/known-devices.queries.ts';
import { removeLinkedAccounts } from '../../../auth/linked-accounts.queries.ts';
import { removeFactors, replaceRecoveryCodes } from '../../../auth/login-factors.queries.ts';
import { insertLoginEvent } from '../../../auth/login-events.queries.ts';
import { removeLinks } from '../../../auth/one-time-tokens.queries.ts';
import {
  continueSession,
  type NamedSession,
  removeSession,
  removeUserSessions,
  sessionInsert,
} from '../../../auth/sessions.queries.ts';
import { hashToken, newToken } from '../../../auth/tokens.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { recordDevice } from '../devices/devices.public.ts';
import { getUser, lockUser } from './access.queries.ts';
import { removeEmailChange } from './email-change.queries.ts';

/*
 * Every login starts a session in `startSession`. A user's session ends
 * - after 90 days, 30 days without use, or when the user must add a second factor (`findSession`); support's session
 *   after an hour or with the operator's own;
 * - when its user logs out, ends it under Security or by the link in a mail (`devices.service.ts`), or logs in again in the
 *   same browser (`startSession`);
 * - when its user proves that the mailbox is theirs, or a school or operator decides about the account (`establishOwner`:
 *   all sessions);
 * - when the login changes: a new password ends all; a request for a new address, a first factor, or a provider
 *   instead of a first password ends all others (`updateAccount`, `completeAddition`, `removePassword`);
 * - when its account at a provider is unlinked or the school stops using the provider (`linked-accounts.queries.ts`);
 * - when an admin ends support's access (`endSupportSessions`) or an operator is removed (`removeOperator`).
 */

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
 * Starts a session, records the login in the school that it enters, and returns the reply of every kind of login. It replaces the
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
  const viewer = { ...session, isFromProvider: session.linkedAccountId !== undefined };
  const user = await getUser(db, viewer, now, {
    insert: sessionInsert({ tokenHash, ...session, device }, now),
    insertInSchool: async (own) => {
      if (login)
        await insertLoginEvent(own, { schoolId: own.schoolId, person: { userId }, method: login.method, device }, now);
    },
  });
  if (login?.client.session?.isCookie) await removeSession(db, login.client.session.tokenHash);
  return { user, meta: { token } };
}

/**
 * Ends everything that was issued for an account before its owner proved that it is theirs, or a school decided about it:
 * sessions, logins that have begun, links, a change of address, known devices. Before the first proof of the address
 * anyone may have had the account, so factors, recovery codes and linked accounts are removed too, except the account with
 * which the proving session began. Call it before the address is recorded as confirmed.
 * @param session the session that carries out the proof: if it is the account's own, it continues with its device, under a
 *   new token where the reply can set it
 */
export async function establishOwner(
  db: PlatformDb,
  userId: number,
  now: Date,
  session?: NamedSession | null,
): Promise<void> {
  const user = await lockUser(db, userId);
  const continued = session ? await continueSession(db, userId, session, now) : undefined;
  await removeUserSessions(db, userId, continued);
  await removeLinks(db, userId);
  await removeEmailChange(db, userId);
  await forgetAllDevices(db, userId, continued);
  if (user.email_confirmed_at !== null) return;
  await removeFactors(db, userId);
  await replaceRecoveryCodes(db, userId, []);
  await removeLinkedAccounts(db, userId, continued);
}
