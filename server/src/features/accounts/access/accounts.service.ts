import type { BodyOf } from '#contract/call.ts';
import type { accessCalls } from '#contract/calls/access.ts';
import { DAY_MS } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { assertProved } from '../../../http/authenticate.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { createToken, removeTokens } from '../../../auth/one-time-tokens.queries.ts';
import { removeUserSessions, type UserSession } from '../../../auth/sessions.queries.ts';
import { sendMail } from '../../../mail/mail.ts';
import { emailKey, lockUser } from './access.queries.ts';
import { recordAccountChange } from '../../../audit/account-changes.ts';
import { accountChangedMail } from './accounts.mail.ts';
import { type getCredentials, requirePasswordReset, setDigest, updateUser } from './accounts.queries.ts';
import { removeEmailChange } from './email-change.queries.ts';
import { beginEmailChange } from './email-change.service.ts';
import { assertNewPassword, hashPassword, isPassword, NO_PASSWORD } from '../../../auth/password-hashing.ts';

type Change = BodyOf<typeof accessCalls.updateMe>;

/** The state when the change was checked, compared again under the lock. */
interface CredentialCheck {
  checkedHash: string;
  newHash: string | undefined;
}

type Credentials = Awaited<ReturnType<typeof getCredentials>> & { hasFactor: boolean };

/**
 * Checks the caller before any transaction, because hashing is slow. Throws a field error at `current_password` or
 * `password`, or `proof_required` where a second factor protects the account.
 */
export async function prepareUpdate(
  account: Credentials,
  me: UserSession,
  body: Change,
  config: Config,
  now: Date,
): Promise<CredentialCheck> {
  const changesEmail = body.email !== undefined && body.email !== account.email;
  const changesLogin = changesEmail || body.password !== undefined;
  // A user of an account created by others has no password yet: the link that they followed replaces it.
  const isSetUp = account.require_password_reset && !changesEmail;
  if (changesLogin && !isSetUp) {
    if (account.hasFactor) assertProved(me, now);
    if (account.password_hash === NO_PASSWORD)
      throw fieldError(
        body.password === undefined ? 'email' : 'password',
        'Your account has no password yet. Log out and choose one with “Forgotten Password” first.',
      );
    if (body.current_password === undefined)
      throw fieldError('current_password', 'Enter your current password to change your email or password.');
    if (!(await isPassword(body.current_password, account.password_hash, config.hashCost)))
      throw fieldError('current_password', 'This is not your current password.');
  }
  if (body.password === undefined) return { checkedHash: account.password_hash, newHash: undefined };
  const names = [...account.names, body.first_name ?? '', body.last_name ?? ''];
  assertNewPassword(body.password, { email: body.email ?? account.email, names }, config);
  return { checkedHash: account.password_hash, newHash: await hashPassword(body.password, config.hashCost) };
}

/**
 * Changes what differs. A new email ends the other sessions; a new password ends all of them, and an earlier change of
 * address. The address gets a mail about either at once.
 */
export async function updateAccount(
  db: PlatformDb,
  me: UserSession,
  body: Change,
  checked: CredentialCheck,
  now: Date,
  config: Config,
): Promise<void> {
  const before = await lockUser(db, me.userId);
  // Another spelling of the same address needs no confirmation.
  const isNewAddress = body.email !== undefined && emailKey(body.email) !== emailKey(before.email);
  const changed: string[] = [];
  if (body.first_name !== undefined && body.first_name !== before.first_name) changed.push('first_name');
  if (body.last_name !== undefined && body.last_name !== before.last_name) changed.push('last_name');
  if (body.email !== undefined && !isNewAddress && body.email !== before.email) changed.push('email');
  if (checked.newHash !== undefined) changed.push('password');

  const tells = changed.includes('email') || changed.includes('password');
  const changesLogin = isNewAddress || tells;
  // Another password was set after this request was checked, so its current password is outdated.
  if (changesLogin && before.password_hash !== checked.checkedHash) throw new AppError('conflict');
  if (checked.newHash !== undefined) await removeEmailChange(db, me.userId);
  if (isNewAddress) await beginEmailChange(db, before, body.email as string, config, now);
  if (changed.length > 0)
    await updateUser(db, me.userId, {
      firstName: body.first_name ?? before.first_name,
      lastName: body.last_name ?? before.last_name,
      email: (isNewAddress ? undefined : body.email) ?? before.email,
      passwordHash: checked.newHash,
    });
  if (body.weekly_school_digest_optin !== undefined && me.schoolId !== null)
    await setDigest(db, me.schoolId, me.userId, body.weekly_school_digest_optin, now);
  if (changesLogin) {
    // A new password also ends the session that set it: anyone else with its token is logged out.
    await removeUserSessions(db, me.userId, checked.newHash === undefined ? me.tokenHash : undefined);
    await removeTokens(db, me.userId);
  }
  if (tells)
    await sendMail(
      db,
      accountChangedMail(config.productName, { email: before.email, firstName: before.first_name, changed }),
      { users: [me.userId] },
      now,
    );
  if (changed.length > 0)
    await recordAccountChange(db, before, me, now, {
      action: 'account_changed',
      subjectKind: 'user',
      subjectId: me.userId,
      details: { fields: changed },
    });
}

/** How long a set-up link works: 7 days. */
const SET_UP_LINK_TTL_MS = 7 * DAY_MS;

/** Creates the token of a set-up link. Its user must choose a password before anything else. */
export async function makeSetUpLink(
  db: PlatformDb,
  user: { userId: number; schoolId: number | null },
  now: Date,
): Promise<string> {
  await requirePasswordReset(db, user.userId);
  return createToken(db, { kind: 'set_up', ...user, lasts: SET_UP_LINK_TTL_MS }, now);
}
