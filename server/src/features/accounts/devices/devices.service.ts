import Bowser from 'bowser';
import type { Session } from '#contract/calls/sessions.ts';
import { recordAccountChange } from '../../../audit/account-changes.ts';
import { listUserSchools } from '../../../auth/user-schools.queries.ts';
import type { Client } from '../../../auth/client.ts';
import { deviceOf, forgetAllDevices } from '../../../auth/known-devices.queries.ts';
import { consumeToken } from '../../../auth/one-time-tokens.queries.ts';
import { endOwnSessions, listOwnSessions } from '../../../auth/own-sessions.queries.ts';
import { isRecent, removeSession, type SessionDevice, type UserSession } from '../../../auth/sessions.queries.ts';
import { sessionIdOf } from '../../../auth/tokens.ts';
import { DAY_MS } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { AppError } from '../../../errors.ts';
import { sendMail } from '../../../mail/mail.ts';
import { LINK_TOKEN } from '../../../mail/outbox.queries.ts';
import { findRecipient, forgetDevices, recordLogin, trimDevices } from './devices.queries.ts';
import { newDeviceMail } from './new-device.mail.ts';

/** How long the link in a mail about a new device works. */
const END_SESSION_LINK_TTL_MS = 7 * DAY_MS;

/** Names that the parser knows: an unknown user agent gives it other text, which must not reach a mail. */
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));

const knownName = (names: ReadonlySet<string>, name: string | undefined): string | null =>
  name !== undefined && names.has(name) ? name : null;

/** The names of a browser and its operating system, without versions; null when they are not recognised. */
function nameDevice(userAgent: string): { browser: string | null; system: string | null } {
  if (userAgent === '') return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent);
  return { browser: knownName(BROWSERS, browser.name), system: knownName(SYSTEMS, os.name) };
}

/** Trusts the device of a user who has proved who they are, without a login that a mail would announce. */
export async function trustDevice(
  db: PlatformDb,
  userId: number,
  client: Client,
  now: Date,
  config: Config,
): Promise<void> {
  await recordLogin(db, userId, deviceOf(config, client), now);
  await trimDevices(db, userId);
}

/**
 * Records the device of a login, before its session is stored, and returns what the session keeps of it. A device on
 * which the user has not logged in before is announced by email, except an account's first.
 */
export async function recordDevice(
  db: PlatformDb,
  { userId, client, tokenHash }: { userId: number; client: Client; tokenHash: Buffer },
  now: Date,
  config: Config,
): Promise<SessionDevice> {
  const known = deviceOf(config, client);
  const device = { hash: known.hash, ...nameDevice(client.userAgent) };
  const login = await recordLogin(db, userId, known, now);
  if (!login.is_new || !login.has_others) return device;
  await trimDevices(db, userId);
  const recipient = await findRecipient(db, userId);
  if (!recipient) return device;
  const url = `${config.publicUrl}/end-session/${LINK_TOKEN}`;
  const mail = newDeviceMail(config.productName, { ...recipient, ...device, loggedInAt: now, link: url });
  const lasts = END_SESSION_LINK_TTL_MS;
  const link = { kind: 'end_session', userId, schoolId: null, lasts, sessionId: sessionIdOf(tokenHash) } as const;
  await sendMail(db, { ...mail, link }, { users: [userId] }, now);
  return device;
}

/** Where a user is logged in. */
export async function listSessions(db: PlatformDb, me: UserSession, now: Date): Promise<Session[]> {
  const rows = await listOwnSessions(db, me.userId, now);
  return rows.map(({ token_hash: tokenHash, browser, system, created_at, last_used_at }) => ({
    id: sessionIdOf(tokenHash),
    browser,
    system,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
    is_recent: isRecent(last_used_at, now),
    is_current: me.tokenHash.equals(tokenHash),
  }));
}

/**
 * Ends sessions of a user and forgets their devices, so that the next login from there is announced again. Returns how
 * many sessions ended.
 */
async function endSessions(
  db: PlatformDb,
  userId: number,
  which: Parameters<typeof endOwnSessions>[2],
  now: Date,
): Promise<number> {
  const ended = await endOwnSessions(db, userId, which);
  if (ended.length === 0) return 0;
  const hashes = ended.map(({ device_hash }) => device_hash).filter((hash) => hash !== null);
  await forgetDevices(db, userId, hashes);
  const schoolIds = await listUserSchools(db, userId);
  await recordAccountChange(db, { schoolIds }, { userId, impersonatorId: null }, now, {
    action: 'id' in which ? 'session_ended' : 'sessions_ended',
    subjectKind: 'user',
    subjectId: userId,
  });
  return ended.length;
}

/** Ends one of a user's own sessions. Ending the current one is a logout. Throws `session_not_found`. */
export async function endSession(db: PlatformDb, me: UserSession, id: string, now: Date): Promise<void> {
  if (id === sessionIdOf(me.tokenHash)) return removeSession(db, me.tokenHash);
  if ((await endSessions(db, me.userId, { id }, now)) === 0) throw new AppError('session_not_found');
}

/** Ends all of a user's own sessions except the current one, and forgets all devices except the current one. */
export async function endOtherSessions(db: PlatformDb, me: UserSession, now: Date): Promise<void> {
  await endSessions(db, me.userId, { except: me.tokenHash }, now);
  // Also those on which no session is left.
  await forgetAllDevices(db, me.userId, me.tokenHash);
}

/** Ends the session that a mail announced, unless it has already ended. Throws `session_link_expired`. */
export async function endSessionByLink(db: PlatformDb, token: string, now: Date): Promise<void> {
  const link = await consumeToken(db, 'end_session', token, now);
  if (!link || link.sessionId === null) throw new AppError('session_link_expired');
  await endSessions(db, link.userId, { id: link.sessionId }, now);
}
