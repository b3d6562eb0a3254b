import { sql } from 'kysely';
import type { PlatformDb } from '../database/platform-db.ts';
import type { SchoolDb } from '../database/school.ts';
import type { MailAttachment, MailLink } from '../database/column-types.ts';
import { createToken, storeInviteToken } from '../auth/one-time-tokens.queries.ts';
import type { KeyConfig } from '../auth/secrets-key.ts';
import { hashToken } from '../auth/tokens.ts';
import { linkToken } from './link-tokens.ts';

/** The kinds of mail that the portal sends. */
export type MailKind =
  | 'account_erased'
  | 'account_changed'
  | 'admin_request'
  | 'already_registered'
  | 'audit_alarm'
  | 'billing_reminder'
  | 'contact_request'
  | 'cover_ended'
  | 'email_change'
  | 'email_confirmation'
  | 'enquiry'
  | 'invite'
  | 'invoice'
  | 'new_device'
  | 'new_logins'
  | 'password_reset'
  | 'programs'
  | 'school_records_check'
  | 'school_closing'
  | 'school_erased'
  | 'second_admin'
  | 'support_access'
  | 'payment_report'
  | 'unmatched_payment'
  | 'weekly_digest';

export interface Mail {
  /** The kind of mail: with the recipient, all that remains once it is delivered. */
  kind: MailKind;
  recipient: string;
  subject: string;
  html: string;
  text: string;
  /** Additional headers, by name. */
  headers?: Record<string, string>;
  attachments?: readonly MailAttachment[];
  /** The link whose token replaces `LINK_TOKEN` in `html` and `text` at delivery, and is stored nowhere before. */
  link?: MailLink;
  /** What it is about, where its state is shown: `invite:ID` or `invoice:NUMBER`. */
  about?: string;
}

/**
 * Whom a mail is to or about, by ID. It is deleted with the first of them who is erased. A recipient without an account,
 * such as a contact or someone invited, is found by the address.
 */
export interface PeopleOfMail {
  users: readonly number[];
  /** Of the school whose transaction writes the mail. */
  pupils?: readonly number[];
}

/** A mail that is to and about no one with an account: to the company, or to a contact of the school. */
export const NO_PEOPLE: PeopleOfMail = { users: [] };

/** The placeholder for the token of a mail's link. */
export const LINK_TOKEN = '{{link-token}}';

const toJson = (value: object | undefined): string | null => (value ? JSON.stringify(value) : null);

/**
 * Inserts a mail into the outbox and returns its ID.
 * @param heldFor the user whose address must be confirmed before the mail is sent
 */
export async function insertMail(
  db: SchoolDb | PlatformDb,
  mail: Mail,
  { users, pupils = [] }: PeopleOfMail,
  now: Date,
  heldFor: number | null = null,
): Promise<number> {
  const { id } = await db.tx
    .insertInto('outbox')
    .values({
      ...mail,
      headers: toJson(mail.headers),
      link: toJson(mail.link),
      attachments: toJson(mail.attachments),
      held_for: heldFor,
      from_school_id: 'schoolId' in db ? db.schoolId : null,
      user_ids: [...new Set(users)],
      pupil_ids: [...new Set(pupils)],
      created_at: now,
      about: mail.about ?? null,
      sending_until: null,
      sent_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Stores the token of a mail's link as a hash and returns it; empty without a link. Undefined when its target has been
 * deleted, or the account has another address now.
 */
async function makeLinkToken(
  db: PlatformDb,
  config: KeyConfig,
  { id, recipient, link, message_key }: { id: number; recipient: string; link: MailLink | null; message_key: string },
  now: Date,
): Promise<string | undefined> {
  if (!link) return '';
  const token = linkToken(config, message_key, link.kind);
  if (link.kind === 'invite') {
    if (!(await storeInviteToken(db, link, token))) return undefined;
  } else {
    if (!(await isAddressOf(db, recipient, link.userId))) return undefined;
    await createToken(db, link, now, token);
  }
  await db.tx
    .updateTable('outbox')
    .set({ link_hash: hashToken(token) })
    .where('id', '=', id)
    .execute();
  return token;
}

/** Returns whether an address is the current or the new one of an account. */
async function isAddressOf(db: PlatformDb, recipient: string, userId: number): Promise<boolean> {
  const user = await db.tx
    .selectFrom('users as u')
    .leftJoin('email_changes as c', 'c.user_id', 'u.id')
    .select('u.id')
    .where('u.id', '=', userId)
    .where(({ or, eb }) => or([eb('u.email', '=', recipient), eb('c.email', '=', recipient)]))
    .executeTakeFirst();
  return user !== undefined;
}

/** The last mail that waits for an operator after a restore; 0 if none does. */
const LAST_HELD = sql<number>`(select coalesce(max(held_mails_to), 0) from database_generation)`;

/** The result of claiming a mail: `free` to be sent by the caller, `taken` by another process, or `done`. */
type Claim =
  | { state: 'free'; mail: Mail; messageKey: string }
  | { state: 'taken'; mail?: never }
  | { state: 'done'; mail?: never };

/** Leases an unsent mail, so that no other process sends it at the same time. One that is held after a restore is `done`. */
export async function claimMail(db: PlatformDb, config: KeyConfig, id: number, now: Date, until: Date): Promise<Claim> {
  const mail = await db.tx
    .updateTable('outbox')
    .set({ sending_until: until })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('id', '>', LAST_HELD)
    .where((where) => where.or([where('sending_until', 'is', null), where('sending_until', '<=', now)]))
    .where('delivery', '<>', 'rejected')
    .returning(['id', 'kind', 'recipient', 'subject', 'html', 'text', 'headers', 'link', 'attachments', 'message_key'])
    .$narrowType<{ kind: MailKind }>()
    .executeTakeFirst();
  if (mail) {
    const { kind, recipient, headers, attachments, message_key: messageKey } = mail;
    // The text of a mail that failed long ago has been deleted.
    if (mail.subject === null || mail.html === null || mail.text === null) return { state: 'done' };
    const token = await makeLinkToken(db, config, mail, now);
    if (token === undefined) return { state: 'done' };
    return {
      state: 'free',
      messageKey,
      mail: {
        kind,
        recipient,
        subject: mail.subject,
        html: mail.html.replaceAll(LINK_TOKEN, token),
        text: mail.text.replaceAll(LINK_TOKEN, token),
        ...(headers ? { headers } : {}),
        ...(attachments ? { attachments } : {}),
      },
    };
  }
  const unsent = await db.tx
    .selectFrom('outbox')
    .select('id')
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('delivery', '<>', 'rejected')
    .where('id', '>', LAST_HELD)
    .executeTakeFirst();
  return { state: unsent ? 'taken' : 'done' };
}

/** Extends the lease of an unsent mail. */
export async function renewClaim(db: PlatformDb, id: number, until: Date): Promise<void> {
  await db.tx
    .updateTable('outbox')
    .set({ sending_until: until })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('sending_until', 'is not', null)
    .execute();
}

/** The content of a mail is deleted at delivery: it may name children or contain a link. */
export const NO_CONTENT = { subject: null, html: null, text: null, headers: null, link: null, attachments: null };

/** The recipients of these have been erased. */
export const ERASED_KINDS: MailKind[] = ['account_erased', 'school_erased'];

/** A mail whose job is enqueued. */
export interface QueuedMail {
  id: number;
  kind: MailKind;
  /** The school that it is from; null for a mail of the platform. */
  schoolId: number | null;
}

/** From this place in the queue on, a school's mails are sent in the order in which they were written. */
const MAX_COUNTED = 1000;

/** Counts the unsent mails of a school, or of the platform, up to a limit. */
export async function countWaitingOf(db: PlatformDb, schoolId: number | null): Promise<number> {
  const waiting = db.tx
    .selectFrom('outbox')
    .select('id')
    .where('from_school_id', schoolId === null ? 'is' : '=', schoolId)
    .where('sent_at', 'is', null)
    .where('text', 'is not', null)
    .where('held_for', 'is', null)
    .limit(MAX_COUNTED);
  const { n } = await db.tx
    .selectFrom(waiting.as('w'))
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Releases the mails that waited for a user's confirmed address, and returns them. Their age starts now. */
export const releaseHeldMails = (db: PlatformDb, userId: number, now: Date): Promise<QueuedMail[]> =>
  db.tx
    .updateTable('outbox')
    .set({ held_for: null, created_at: now })
    .where('held_for', '=', userId)
    .returning(['id', 'kind', 'from_school_id as schoolId'])
    .$narrowType<{ kind: MailKind }>()
    .execute();

/** Mails that one transaction releases or deletes. */
const HELD_PAGE_SIZE = 200;

/** Ends the hold of the mails after an ID. */
const holdOnlyTo = (db: PlatformDb, id: number | null) =>
  db.tx.updateTable('database_generation').set({ held_mails_to: id }).execute();

/**
 * Releases mails that are held after a restore, the latest first, and returns them. Their age starts now. Without any left
 * the hold ends.
 */
export async function releaseRestoredMails(db: PlatformDb, now: Date): Promise<QueuedMail[]> {
  const page = db.tx
    .selectFrom('outbox')
    .select('id')
    .where('sent_at', 'is', null)
    .where('held_for', 'is', null)
    .where('text', 'is not', null)
    .where('id', '<=', LAST_HELD)
    .orderBy('id', 'desc')
    .limit(HELD_PAGE_SIZE)
    .forUpdate();
  const rows = await db.tx
    .updateTable('outbox')
    .set({ created_at: now })
    .where('id', 'in', page)
    .returning(['id', 'kind', 'from_school_id as schoolId'])
    .$narrowType<{ kind: MailKind }>()
    .execute();
  await holdOnlyTo(db, rows.length > 0 ? Math.min(...rows.map(({ id }) => id)) - 1 : null);
  return rows;
}

/** Deletes mails that are held after a restore, and returns how many. Without any left the hold ends. */
export async function deleteRestoredMails(db: PlatformDb): Promise<number> {
  const page = db.tx
    .selectFrom('outbox')
    .select('id')
    .where('sent_at', 'is', null)
    .where('held_for', 'is', null)
    .where('id', '<=', LAST_HELD)
    .limit(HELD_PAGE_SIZE);
  const deleted = await db.tx.deleteFrom('outbox').where('id', 'in', page).returning('id').execute();
  if (deleted.length === 0) await holdOnlyTo(db, null);
  return deleted.length;
}

/**
 * Records that the mails to an address were to this user.
 * @param key the normalised address
 * @param schoolId the school of the mails; undefined for all mails
 */
export async function claimMails(db: PlatformDb, userId: number, key: string, schoolId?: number): Promise<void> {
  const ofSchool = schoolId === undefined ? sql`` : sql`and from_school_id = ${schoolId}`;
  await sql`
    update outbox set user_ids = user_ids || ${userId}::bigint
    where lower(recipient) = ${key} ${ofSchool} and not user_ids @> array[${userId}::bigint]`.execute(db.tx);
}

/** Deletes a school's unsent mails to a user, and those that wait for their address. */
export async function deleteUnsentMails(db: PlatformDb, schoolId: number, userId: number): Promise<void> {
  await sql`
    delete from outbox
    where from_school_id = ${schoolId} and sent_at is null and (
      held_for = ${userId}
      or lower(recipient) = (select email_key from users where id = ${userId}))`.execute(db.tx);
}

/** The state of the mails that are to be sent. */
export interface MailState {
  waiting: number;
  /** When the oldest waiting mail was created. */
  oldest_at: Date | null;
  /** Not sent within a day: their content is deleted, and they are no longer tried. */
  given_up: number;
  /** Rejected or returned in the last day because of the sender, and not of the recipient: 5.7.x. */
  blamed_on_us: number;
}

/** Counts the unsent mails, except those that wait for a confirmed address, and those that were rejected because of us. */
export async function countMails(db: PlatformDb, now: Date): Promise<MailState> {
  const { rows } = await sql<MailState>`
    select count(*) filter (where text is not null) as waiting, min(created_at) filter (where text is not null) as oldest_at,
      count(*) filter (where text is null and delivery = 'queued') as given_up,
      (select count(*) from outbox where delivery_at > ${now}::timestamptz - interval '1 day'
        and delivery in ('rejected', 'bounced') and (fault_code like '5.7.%' or fault_code in ('5.1.7', '5.1.8')))
        as blamed_on_us
    from outbox where sent_at is null and held_for is null`.execute(db.tx);
  return rows[0] as MailState;
}
