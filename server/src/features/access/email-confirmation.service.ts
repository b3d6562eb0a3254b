import { recordChange } from '../../audit/audit-log.queries.ts';
import { consumeToken, removeTokens } from '../../auth/one-time-tokens.queries.ts';
import type { UserSession } from '../../auth/sessions.queries.ts';
import type { Config } from '../../config.ts';
import { withPlatform } from '../../database/platform.ts';
import type { PlatformDb } from '../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import { enqueue } from '../../jobs/queue.ts';
import { sendHeldMails, sendMail } from '../../mail/mail.ts';
import { emailKey, findLogin, insertUser, lockUser, type NewUser } from './access.queries.ts';
import { accountChangedMail } from './accounts.mail.ts';
import { lockEmailConfirmed, setEmail, setEmailConfirmed, setPendingEmail } from './accounts.queries.ts';
import { EMAIL_CONFIRMATION_JOB } from './email-confirmation.jobs.ts';

/**
 * Creates an account with an unconfirmed address and mails it the link to confirm it. Throws a unique violation
 * if another account has the address; with `HIDE_ACCOUNTS`, creates an account that never gets the address, and informs
 * the address's owner.
 */
export async function registerUser(
  db: PlatformDb,
  user: Omit<NewUser, 'emailConfirmedAt' | 'isHidden'>,
  { hideAccounts }: Pick<Config, 'hideAccounts'>,
  now: Date,
): Promise<number> {
  const isHidden = hideAccounts && (await findLogin(db, user.email)) !== undefined;
  const userId = await insertUser(db, { ...user, emailConfirmedAt: null, isHidden }, now);
  await enqueue(db, EMAIL_CONFIRMATION_JOB, { userId });
  return userId;
}

/**
 * Stores a user's new address and mails it a link. If another account has it, throws `duplicate_email`, or
 * informs its owner if accounts are hidden.
 */
export async function beginEmailChange(
  db: PlatformDb,
  userId: number,
  email: string,
  { hideAccounts }: Pick<Config, 'hideAccounts'>,
): Promise<void> {
  if (!hideAccounts && (await findLogin(db, email))) throw new AppError('duplicate_email');
  await setPendingEmail(db, userId, email);
  await enqueue(db, EMAIL_CONFIRMATION_JOB, { userId });
}

/**
 * Returns whether the address of a user who sends mail is confirmed. If the session says that it is
 * not, checks again under a lock: a simultaneous confirmation sends the waiting mails and must not miss this one.
 */
export const hasConfirmedEmail = async (db: SchoolDb, me: UserSession): Promise<boolean> =>
  me.hasConfirmedEmail || withPlatform(db, (platform) => lockEmailConfirmed(platform, me.userId));

/** Records that a user's address is confirmed, and sends the mails that waited for it. */
export async function confirmEmail(
  db: PlatformDb,
  user: { id: number; email_confirmed_at: Date | null },
  now: Date,
): Promise<void> {
  if (user.email_confirmed_at !== null) return;
  await setEmailConfirmed(db, user.id, now);
  await sendHeldMails(db, user.id, now);
}

/**
 * Confirms the address that a link was mailed to: the account's current one, or the new one, which replaces it. Throws
 * `confirmation_link_expired`, also when it is no longer either of them.
 */
export async function confirmByLink(db: PlatformDb, token: string, product: string, now: Date): Promise<void> {
  const link = await consumeToken(db, 'email_confirmation', token, now);
  if (!link || link.email === null) throw new AppError('confirmation_link_expired');
  const user = await lockUser(db, link.userId);
  const key = emailKey(link.email);
  if (user.email_key === key) return confirmEmail(db, user, now);
  if (user.pending_email === null || emailKey(user.pending_email) !== key)
    throw new AppError('confirmation_link_expired');
  await setEmail(db, user.id, user.pending_email, now);
  await removeTokens(db, user.id);
  await sendHeldMails(db, user.id, now);
  // An unconfirmed address may belong to a stranger.
  if (user.email_confirmed_at !== null) {
    const mail = { email: user.email, firstName: user.first_name, changed: ['email'] };
    await sendMail(db, accountChangedMail(product, mail), now);
  }
  if (user.school_id !== null)
    await withSchool(db, user.school_id, (school) =>
      recordChange(school, { userId: user.id, impersonatorId: null }, now, {
        action: 'account_changed',
        subjectKind: 'user',
        subjectId: user.id,
        details: { fields: ['email'] },
      }),
    );
}

/** Mails the link again. Throws `nothing_to_confirm`. */
export async function resendConfirmation(db: PlatformDb, me: UserSession): Promise<void> {
  const user = await lockUser(db, me.userId);
  if (user.pending_email === null && user.email_confirmed_at !== null) throw new AppError('nothing_to_confirm');
  await enqueue(db, EMAIL_CONFIRMATION_JOB, { userId: user.id });
}

/** Lets a user keep their current address. Throws `not_while_impersonating`. */
export async function cancelEmailChange(db: PlatformDb, me: UserSession): Promise<void> {
  if (me.impersonatorId !== null) throw new AppError('not_while_impersonating');
  await setPendingEmail(db, me.userId, null);
}
