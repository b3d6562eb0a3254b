import { consumeToken } from '../../../auth/one-time-tokens.queries.ts';
import type { NamedSession, UserSession } from '../../../auth/sessions.queries.ts';
import type { Config } from '../../../config.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { sendHeldMails } from '../../../mail/mail.ts';
import { emailKey, findLogin, insertUser, lockUser, type NewUser } from './access.queries.ts';
import { lockEmailConfirmed, setEmailConfirmed } from './accounts.queries.ts';
import { extendEmailChange, findEmailChange } from './email-change.queries.ts';
import { confirmNewEmail } from './email-change.service.ts';
import { EMAIL_CONFIRMATION_JOB } from './email-confirmation.jobs.ts';
import { establishOwner } from './sessions.service.ts';

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
 * Returns whether the address of a user who sends mail is confirmed. If the session says that it is
 * not, checks again under a lock: a simultaneous confirmation sends the waiting mails and must not miss this one.
 */
export const hasConfirmedEmail = async (db: SchoolDb, me: UserSession): Promise<boolean> =>
  me.hasConfirmedEmail || withPlatform(db, (platform) => lockEmailConfirmed(platform, me.userId));

/** Records that a user's address is confirmed, and sends the mails that waited for it. */
async function confirmEmail(
  db: PlatformDb,
  user: { id: number; email_confirmed_at: Date | null },
  now: Date,
): Promise<void> {
  if (user.email_confirmed_at !== null) return;
  await setEmailConfirmed(db, user.id, now);
  await sendHeldMails(db, user.id, now);
}

/**
 * Confirms the address that a link was mailed to: the account's current one, or the new one of a change. Returns when the
 * new one takes effect, or null. Throws `confirmation_link_expired`, also when it is no longer either of them, or
 * `duplicate_email`.
 */
export async function confirmByLink(
  db: PlatformDb,
  token: string,
  session: NamedSession | null,
  config: Pick<Config, 'productName'>,
  now: Date,
): Promise<Date | null> {
  const link = await consumeToken(db, 'email_confirmation', token, now);
  if (!link || link.email === null) throw new AppError('confirmation_link_expired');
  const user = await lockUser(db, link.userId);
  if (user.email_key !== emailKey(link.email)) return confirmNewEmail(db, user, link.email, session, config, now);
  if (user.email_confirmed_at === null) await proveEmail(db, user, now, session);
  return null;
}

/** Makes the person who reads an account's mail its owner, and confirms its address. */
export async function proveEmail(
  db: PlatformDb,
  user: { id: number; email_confirmed_at: Date | null },
  now: Date,
  session?: NamedSession | null,
): Promise<void> {
  await establishOwner(db, user.id, now, session);
  await confirmEmail(db, user, now);
}

/** Mails the link again. Throws `nothing_to_confirm`. */
export async function resendConfirmation(db: PlatformDb, me: UserSession, now: Date): Promise<void> {
  const user = await lockUser(db, me.userId);
  const change = await findEmailChange(db, user.id, now);
  const isChanging = change !== undefined && change.confirmedAt === null;
  if (!isChanging && user.email_confirmed_at !== null) throw new AppError('nothing_to_confirm');
  if (isChanging) await extendEmailChange(db, user.id, now);
  await enqueue(db, EMAIL_CONFIRMATION_JOB, { userId: user.id });
}
