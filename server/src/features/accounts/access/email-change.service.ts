import type { AuditDetails } from '#contract/audit-details.ts';
import { consumeToken, findToken, type Link, removeLinks } from '../../../auth/one-time-tokens.queries.ts';
import { isOperator, type NamedSession } from '../../../auth/sessions.queries.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { AppError } from '../../../errors.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { sendHeldMails, sendMail } from '../../../mail/mail.ts';
import { LINK_TOKEN } from '../../../mail/outbox.queries.ts';
import { emailKey, findLogin, lockUser } from './access.queries.ts';
import { recordAccountChange } from '../../../audit/account-changes.ts';
import { accountChangedMail } from './accounts.mail.ts';
import { setEmail } from './accounts.queries.ts';
import { emailChangeFailedMail, emailChangeMail } from './email-change.mail.ts';
import {
  claimFormerAddress,
  EMAIL_CHANGE_DELAY_MS,
  EMAIL_CHANGE_TTL_MS,
  type EmailChange,
  emailChangeDueAt,
  findEmailChange,
  recordAgreement,
  removeEmailChange,
  replaceEmailChange,
} from './email-change.queries.ts';
import { EMAIL_CONFIRMATION_JOB } from './email-confirmation.jobs.ts';
import { establishOwner } from './sessions.service.ts';

/*
 * A change of address: requested by its user with a proof, announced to the old address, confirmed at the new one, and
 * carried out a day later, so that the owner of the old mailbox can stop someone else. Until then everything goes to the
 * old address. docs/decisions/confirmed-addresses.md
 */

interface Account {
  id: number;
  email: string;
  email_key: string;
  first_name: string;
  schoolIds: number[];
  email_confirmed_at: Date | null;
}

/** The link in the announcement works as long as the change can wait. */
const ANNOUNCEMENT_LINK_TTL_MS = EMAIL_CHANGE_TTL_MS + EMAIL_CHANGE_DELAY_MS;

async function record(
  db: PlatformDb,
  user: Account,
  action: 'account_changed' | 'email_change_requested' | 'email_change_stopped',
  details: AuditDetails<'account_changed'>,
  now: Date,
): Promise<void> {
  const actor = { userId: user.id, impersonatorId: null };
  await recordAccountChange(db, user, actor, now, { action, subjectKind: 'user', subjectId: user.id, details });
}

/**
 * Stores a new address in place of an earlier request, mails it a link, and announces it to the old address. An
 * unconfirmed one gets no mail, because it may be a stranger's. If another account has the new address, throws
 * `duplicate_email`, or informs its owner if accounts are hidden.
 */
export async function beginEmailChange(
  db: PlatformDb,
  user: Account,
  email: string,
  config: Pick<Config, 'hideAccounts' | 'productName' | 'publicUrl'>,
  now: Date,
): Promise<void> {
  if (!config.hideAccounts && (await findLogin(db, email))) throw new AppError('duplicate_email');
  await replaceEmailChange(db, user.id, email, now);
  await enqueue(db, EMAIL_CONFIRMATION_JOB, { userId: user.id });
  await record(db, user, 'email_change_requested', {}, now);
  if (user.email_confirmed_at === null) return;
  const mail = emailChangeMail(config.productName, {
    email: user.email,
    firstName: user.first_name,
    link: `${config.publicUrl}/email-change/${LINK_TOKEN}`,
  });
  const link = { kind: 'email_change', userId: user.id, schoolId: null, lasts: ANNOUNCEMENT_LINK_TTL_MS } as const;
  await sendMail(db, { ...mail, link }, { users: [user.id] }, now);
}

/** Returns whether a confirmed change waits for a day: the account can see children's data, and the old address has not agreed. */
const mustWait = async (db: PlatformDb, user: Account, change: EmailChange): Promise<boolean> =>
  user.email_confirmed_at !== null &&
  change.agreedAt === null &&
  (user.schoolIds.length > 0 || (await isOperator(db, user.id)));

/**
 * Confirms the new address of a change. Returns when it takes effect, or null when it has. Throws
 * `confirmation_link_expired` or `duplicate_email`.
 */
export async function confirmNewEmail(
  db: PlatformDb,
  user: Account,
  email: string,
  session: NamedSession | null,
  config: Pick<Config, 'productName'>,
  now: Date,
): Promise<Date | null> {
  const change = await findEmailChange(db, user.id, now);
  if (!change || emailKey(change.email) !== emailKey(email)) throw new AppError('confirmation_link_expired');
  if (await findLogin(db, change.email)) throw new AppError('duplicate_email');
  if (!(await mustWait(db, user, change))) {
    await completeEmailChange(db, user, change, session, config, now);
    return null;
  }
  if (change.confirmedAt === null) await recordAgreement(db, user.id, 'confirmed_at', now);
  return emailChangeDueAt(change.confirmedAt ?? now);
}

/** Gives the account its new address, and mails the old one. Throws a unique violation if another account has it. */
async function completeEmailChange(
  db: PlatformDb,
  user: Account,
  { email }: EmailChange,
  session: NamedSession | null,
  { productName }: Pick<Config, 'productName'>,
  now: Date,
): Promise<void> {
  await establishOwner(db, user.id, now, session);
  await claimFormerAddress(db, user);
  await setEmail(db, user.id, email, now);
  await sendHeldMails(db, user.id, now);
  if (user.email_confirmed_at !== null) {
    const mail = { email: user.email, firstName: user.first_name, changed: ['email'] };
    await sendMail(db, accountChangedMail(productName, mail), { users: [user.id] }, now);
  }
  await record(db, user, 'account_changed', { fields: ['email'] }, now);
}

/** Carries out a change whose day is over, unless it was stopped. If the address was taken meanwhile, says so by mail. */
export async function completeDueEmailChange(
  db: PlatformDb,
  userId: number,
  config: Pick<Config, 'productName'>,
  now: Date,
): Promise<void> {
  const user = await lockUser(db, userId);
  const change = await findEmailChange(db, userId, now);
  const dueAt = emailChangeDueAt(change?.confirmedAt ?? null);
  if (!change || !dueAt || dueAt > now) return;
  if (!(await findLogin(db, change.email))) return completeEmailChange(db, user, change, null, config, now);
  await removeEmailChange(db, userId);
  const mail = emailChangeFailedMail(config.productName, { email: user.email, firstName: user.first_name });
  await sendMail(db, mail, { users: [userId] }, now);
}

/** Lets a user keep their current address. */
export async function cancelEmailChange(db: PlatformDb, userId: number): Promise<void> {
  await removeEmailChange(db, userId);
  await removeLinks(db, userId, ['email_change']);
}

/** The account and change of a link in an announcement. Throws `email_change_link_expired`. */
async function getAnnounced(db: PlatformDb, link: Link | undefined, now: Date) {
  const user = link && (await lockUser(db, link.userId));
  const change = user && (await findEmailChange(db, user.id, now));
  if (!user || !change) throw new AppError('email_change_link_expired');
  return { user, change };
}

/** What the link in an announcement is about, without using it. Throws `email_change_link_expired`. */
export async function describeEmailChange(
  db: PlatformDb,
  token: string,
  now: Date,
): Promise<{ email: string; due_at: string | null }> {
  const { change } = await getAnnounced(db, await findToken(db, 'email_change', token, now), now);
  return { email: change.email, due_at: emailChangeDueAt(change.confirmedAt)?.toISOString() ?? null };
}

/** Stops a change from the old address, whose owner this proves. Throws `email_change_link_expired`. */
export async function stopEmailChange(
  db: PlatformDb,
  token: string,
  session: NamedSession | null,
  now: Date,
): Promise<void> {
  const { user } = await getAnnounced(db, await consumeToken(db, 'email_change', token, now), now);
  await establishOwner(db, user.id, now, session);
  await record(db, user, 'email_change_stopped', {}, now);
}

/**
 * Lets the old address agree, so that the change does not wait for a day. Returns whether it has been carried out, which
 * also needs the confirmation. Throws `email_change_link_expired` or `duplicate_email`.
 */
export async function agreeToEmailChange(
  db: PlatformDb,
  token: string,
  session: NamedSession | null,
  config: Pick<Config, 'productName'>,
  now: Date,
): Promise<boolean> {
  const { user, change } = await getAnnounced(db, await consumeToken(db, 'email_change', token, now), now);
  if (change.confirmedAt === null) {
    await recordAgreement(db, user.id, 'agreed_at', now);
    return false;
  }
  if (await findLogin(db, change.email)) throw new AppError('duplicate_email');
  await completeEmailChange(db, user, change, session, config, now);
  return true;
}
