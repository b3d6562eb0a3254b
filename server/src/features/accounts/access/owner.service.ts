import { forgetAllDevices } from '../../../auth/known-devices.queries.ts';
import { removeLinkedAccounts } from '../../../auth/linked-accounts.queries.ts';
import { removeFactors, replaceRecoveryCodes } from '../../../auth/login-factors.queries.ts';
import { removeLinks } from '../../../auth/one-time-tokens.queries.ts';
import { continueSession, type NamedSession, removeUserSessions } from '../../../auth/sessions.queries.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { lockUser } from './access.queries.ts';
import { removeEmailChange } from './email-change.queries.ts';

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
