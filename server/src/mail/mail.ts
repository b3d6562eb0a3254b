import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { inPlatform, withPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import type { SchoolDb } from '../database/school.ts';
import { retryNow } from '../jobs/jobs.queries.ts';
import { enqueue, type Job } from '../jobs/queue.ts';
import { countEvent } from '../logging/event-counts.ts';
import {
  claimMail,
  countWaitingOf,
  deleteRestoredMails,
  insertMail,
  type Mail,
  type MailKind,
  markSent,
  type PeopleOfMail,
  type QueuedMail,
  releaseHeldMails,
  releaseMail,
  releaseRestoredMails,
  renewClaim,
} from './outbox.queries.ts';

const MAIL_JOB = 'mail';
const PRIORITY_MAIL_JOB = 'priority-mail';
/** Mails that a person is waiting for. They have a queue with its own worker, so that they never wait behind invitations or digests. */
const PRIORITY_KINDS: ReadonlySet<MailKind> = new Set([
  'already_registered',
  'email_change',
  'email_confirmation',
  'new_device',
  'new_logins',
  'password_reset',
]);
const jobFor = (kind: MailKind): string => (PRIORITY_KINDS.has(kind) ? PRIORITY_MAIL_JOB : MAIL_JOB);

/** Adds a mail to the outbox in the transaction of `db`; it is sent after the commit. */
export async function sendMail(db: SchoolDb | PlatformDb, mail: Mail, people: PeopleOfMail, now: Date): Promise<void> {
  const id = await insertMail(db, mail, people, now);
  await enqueueMail(db, { id, kind: mail.kind, schoolId: 'schoolId' in db ? db.schoolId : null });
}

/**
 * Enqueues the job that sends a mail. Schools take turns: the nth waiting mail of one is sent before the next one of any
 * other school.
 */
async function enqueueMail(db: SchoolDb | PlatformDb, mail: QueuedMail): Promise<void> {
  if ('schoolId' in db) return withPlatform(db, (platform) => enqueueMail(platform, mail));
  const { id, kind, schoolId } = mail;
  await enqueue(db, jobFor(kind), { id }, { priority: -(await countWaitingOf(db, schoolId)) });
}

/** Adds a mail to the outbox that `sendHeldMails` sends once this user's address is confirmed. */
export async function holdMail(
  db: SchoolDb | PlatformDb,
  mail: Mail,
  people: PeopleOfMail,
  userId: number,
  now: Date,
): Promise<void> {
  await insertMail(db, mail, people, now, userId);
}

/** Sends the mails that waited for this user's address. */
export async function sendHeldMails(db: PlatformDb, userId: number, now: Date): Promise<void> {
  for (const mail of await releaseHeldMails(db, userId, now)) await enqueueMail(db, mail);
}

/** Runs `work` on one page of mails per transaction until none is left. Returns how many; a run can be interrupted. */
async function countInPages(database: Database, work: (db: PlatformDb) => Promise<number>): Promise<number> {
  let total = 0;
  for (let count = 1; count > 0; total += count) count = await inPlatform(database, work);
  return total;
}

/** Sends the mails that are held after a restore, and returns how many. */
export const sendRestoredMails = (database: Database, now: Date): Promise<number> =>
  countInPages(database, async (db) => {
    const mails = await releaseRestoredMails(db, now);
    for (const mail of mails) await enqueueMail(db, mail);
    return mails.length;
  });

/** Deletes the mails that are held after a restore, and returns how many. */
export const discardRestoredMails = (database: Database): Promise<number> =>
  countInPages(database, deleteRestoredMails);

/** Delivers a mail. */
export type Delivery = (id: number, mail: Mail) => Promise<void>;

const toMessage = ({ recipient, subject, html, text, headers = {}, attachments = [] }: Mail, from: string) => ({
  from,
  to: recipient,
  subject,
  html,
  text,
  headers,
  attachments: attachments.map(({ name, type, content }) => ({
    filename: name,
    contentType: type,
    content: Buffer.from(content, 'base64'),
  })),
});

/** Delivery by an SMTP server. */
export function deliverBySmtp(url: string, from: string): Delivery {
  const transport = createTransport({ url, connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 });
  return async (_id, mail) => {
    await transport.sendMail(toMessage(mail, from));
  };
}

/** Delivery into a folder, as one file `<id>.eml` per mail. */
export function deliverToFolder(folder: string, from: string): Delivery {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return async (id, mail) => {
    const { message } = await transport.sendMail(toMessage(mail, from));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${String(id).padStart(6, '0')}.eml`), message as Buffer);
  };
}

/** How long a process may deliver a mail without renewing its lease. */
const LEASE_MS = 20_000;
const LEASE_RENEWAL_MS = 5000;

const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/** Priority mails are tried each minute for a day, after which a mail is given up. */
const PRIORITY_RETRY_S = 60;
const PRIORITY_RETRIES = 1440;
/** The first delay of a job's tries. */
const REJECTED_RETRY_MS = 5000;

/** The mail server cannot be reached, or accepts no mails at all. */
class MailServerUnavailable extends Error {
  override readonly name = 'MailServerUnavailable';
}

const UNAVAILABLE_CODES = new Set(['EAUTH', 'ECONNECTION', 'ECONNREFUSED', 'EDNS', 'ESOCKET', 'ETIMEDOUT', 'ETLS']);
/** The reply of a server that is shutting down. */
const SHUTTING_DOWN = 421;

function isServerUnavailable(error: unknown): error is Error {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return error instanceof Error && (UNAVAILABLE_CODES.has(String(code)) || responseCode === SHUTTING_DOWN);
}

/**
 * The jobs that send a mail of the outbox, one for each queue. A mail that was sent is not sent again. No transaction is
 * open during delivery: a slow mail server would occupy the one connection of the embedded database.
 */
export function mailJobs(database: Database, deliver: Delivery, clock: Clock): Job<{ id: number }>[] {
  /** A delivery of this process has failed, and none has succeeded since. */
  let isOutage = false;

  async function send(id: number): Promise<void> {
    const now = clock.now();
    const claim = await inPlatform(database, (db) => claimMail(db, id, now, leaseFrom(now)));
    if (claim.state === 'done') return;
    if (claim.state === 'taken') throw new Error('Another process is sending this mail.');
    const renew = () => inPlatform(database, (db) => renewClaim(db, id, leaseFrom(clock.now()))).catch(() => undefined);
    const renewal = setInterval(() => void renew(), LEASE_RENEWAL_MS);
    try {
      await deliver(id, claim.mail);
    } catch (error) {
      await inPlatform(database, (db) => releaseMail(db, id));
      if (!isServerUnavailable(error)) throw error;
      isOutage = true;
      throw Object.assign(new MailServerUnavailable(error.message), { code: (error as NodeJS.ErrnoException).code });
    } finally {
      clearInterval(renewal);
    }
    countEvent('mail_sent');
    await inPlatform(database, async (db) => {
      await markSent(db, id, clock.now());
      if (isOutage) await retryNow(db, [PRIORITY_MAIL_JOB, MAIL_JOB], MailServerUnavailable.name);
    });
    isOutage = false;
  }

  /** Sends a priority mail. One that the mail server rejects is tried again as an ordinary mail, ten times. */
  async function sendPriority(id: number): Promise<void> {
    try {
      await send(id);
    } catch (error) {
      if (!(error instanceof Error && 'responseCode' in error)) throw error;
      const startAfter = new Date(Date.now() + REJECTED_RETRY_MS);
      await inPlatform(database, (db) => enqueue(db, MAIL_JOB, { id }, { startAfter }));
    }
  }

  return [
    {
      name: PRIORITY_MAIL_JOB,
      retries: PRIORITY_RETRIES,
      maxRetryDelaySeconds: PRIORITY_RETRY_S,
      concurrency: 5,
      run: ({ id }) => sendPriority(id),
    },
    { name: MAIL_JOB, retries: 10, concurrency: 10, run: ({ id }) => send(id) },
  ];
}
