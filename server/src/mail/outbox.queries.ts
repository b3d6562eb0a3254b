import { type SqlBool, sql } from 'kysely';
import { deleteBatch, inBatch } from '../database/batches.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import type { SchoolDb } from '../database/school.ts';
import type { MailAttachment, MailLink } from '../database/column-types.ts';
import { createInviteToken, createToken } from '../auth/one-time-tokens.queries.ts';

/** The sorts of mails that there are. */
export type MailKind =
  | 'account_changed'
  | 'already_registered'
  | 'billing_reminder'
  | 'contact_request'
  | 'email_confirmation'
  | 'enquiry'
  | 'invite'
  | 'invoice'
  | 'new_logins'
  | 'password_reset'
  | 'support_access'
  | 'payment_report'
  | 'weekly_digest';

export interface Mail {
  /** What sort of mail it is: all that is known of it, with its recipient, once it is delivered. */
  kind: MailKind;
  recipient: string;
  subject: string;
  html: string;
  text: string;
  /** Further headers, by name. */
  headers?: Record<string, string>;
  attachments?: readonly MailAttachment[];
  /** Its token stands in the place of `LINK_TOKEN` in `html` and `text` when the mail is delivered, and nowhere before. */
  link?: MailLink;
}

/** Where the token of a mail's link will stand. */
export const LINK_TOKEN = '{{link-token}}';

/**
 * Writes a mail into the outbox and returns its id.
 * @param heldFor the user whose confirmed address it waits for
 */
export async function insertMail(
  db: SchoolDb | PlatformDb,
  mail: Mail,
  now: Date,
  heldFor: number | null = null,
): Promise<number> {
  const [headers, link, attachments] = [mail.headers, mail.link, mail.attachments].map((value) =>
    value ? JSON.stringify(value) : null,
  );
  const { id } = await db.tx
    .insertInto('outbox')
    .values({
      ...mail,
      headers: headers ?? null,
      link: link ?? null,
      held_for: heldFor,
      attachments: attachments ?? null,
      created_at: now,
      sending_until: null,
      sent_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const makeLinkToken = async (db: PlatformDb, link: MailLink | null, now: Date): Promise<string | undefined> => {
  if (!link) return '';
  return link.kind === 'invite' ? createInviteToken(db, link) : createToken(db, link, now);
};

/** What became of a mail: `free` to be sent by who asks, `taken` by another process, or `done`. */
export type Claim = { state: 'free'; mail: Mail } | { state: 'taken'; mail?: never } | { state: 'done'; mail?: never };

/** Takes an unsent mail for a while, so that no other process sends it at the same time. */
export async function claimMail(db: PlatformDb, id: number, now: Date, until: Date): Promise<Claim> {
  const mail = await db.tx
    .updateTable('outbox')
    .set({ sending_until: until })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where((where) => where.or([where('sending_until', 'is', null), where('sending_until', '<=', now)]))
    .returning(['kind', 'recipient', 'subject', 'html', 'text', 'headers', 'link', 'attachments'])
    .executeTakeFirst();
  if (mail) {
    const { kind, recipient, headers, link, attachments } = mail;
    // A mail that was given up long ago has lost its text.
    if (mail.subject === null || mail.html === null || mail.text === null) return { state: 'done' };
    const token = await makeLinkToken(db, link, now);
    // What its link would lead to is gone.
    if (token === undefined) return { state: 'done' };
    const [html, text] = [mail.html, mail.text].map((content) => content.replaceAll(LINK_TOKEN, token));
    return {
      state: 'free',
      mail: {
        kind: kind as MailKind,
        recipient,
        subject: mail.subject,
        html: html ?? '',
        text: text ?? '',
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
    .executeTakeFirst();
  return { state: unsent ? 'taken' : 'done' };
}

/** Keeps an unsent mail taken until then. */
export async function renewClaim(db: PlatformDb, id: number, until: Date): Promise<void> {
  await db.tx
    .updateTable('outbox')
    .set({ sending_until: until })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('sending_until', 'is not', null)
    .execute();
}

/** Gives a mail back that could not be sent. */
export async function releaseMail(db: PlatformDb, id: number): Promise<void> {
  await db.tx.updateTable('outbox').set({ sending_until: null }).where('id', '=', id).execute();
}

/** What a mail said is forgotten with its delivery: it may have named children, or held a link. */
const NO_CONTENT = { subject: null, html: null, text: null, headers: null, link: null, attachments: null };

/** Notes that a mail was delivered, of what kind, to whom and when; its text goes. */
export async function markSent(db: PlatformDb, id: number, now: Date): Promise<void> {
  await db.tx
    .updateTable('outbox')
    .set({ ...NO_CONTENT, sent_at: now, sending_until: null })
    .where('id', '=', id)
    .execute();
}

/** Lets the mails go that waited for a user's confirmed address, and returns their ids. Their age begins now. */
export async function releaseHeldMails(db: PlatformDb, userId: number, now: Date): Promise<number[]> {
  const rows = await db.tx
    .updateTable('outbox')
    .set({ held_for: null, created_at: now })
    .where('held_for', '=', userId)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes a batch of the mails that waited for a confirmed address in vain. Returns the number deleted. */
export const deleteHeldMails = (db: PlatformDb, before: Date): Promise<number> =>
  deleteBatch(db, 'outbox', ['id'], sql`held_for is not null and created_at <= ${before}`);

/** Empties a batch of undeliverable mails. Returns the number emptied. */
export async function emptyOldMails(db: PlatformDb, before: Date): Promise<number> {
  const old = sql<SqlBool>`sent_at is null and text is not null and held_for is null and created_at <= ${before}`;
  const { numUpdatedRows } = await db.tx
    .updateTable('outbox')
    .set(NO_CONTENT)
    .where(inBatch('outbox', ['id'], old))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Deletes a batch of the mails older than the retention period. Returns the number deleted. */
export const deleteOldMails = (db: PlatformDb, before: Date): Promise<number> =>
  deleteBatch(db, 'outbox', ['id'], sql`held_for is null and created_at <= ${before}`);

/** How the mails stand that are to be sent. */
export interface MailState {
  waiting: number;
  /** Since when the one that waits longest does. */
  oldest_at: Date | null;
  /** Not sent within a day: their texts are gone, they are not tried any more. */
  given_up: number;
}

/** How the mails stand; those that wait for a confirmed address are not counted. */
export async function countMails(db: PlatformDb): Promise<MailState> {
  const { rows } = await sql<MailState>`
    select count(*) filter (where text is not null) as waiting, min(created_at) filter (where text is not null) as oldest_at,
      count(*) filter (where text is null) as given_up
    from outbox where sent_at is null and held_for is null`.execute(db.tx);
  return rows[0] as MailState;
}
