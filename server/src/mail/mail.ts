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

/** Sends the mails that are held after a restore. Returns how many; an interrupted run continues at the next one. */
export async function sendRestoredMails(database: Database, now: Date): Promise<number> {
  let sent = 0;
  for (let count = 1; count > 0; sent += count)
    count = await inPlatform(database, async (db) => {
      const mails = await releaseRestoredMails(db, now);
      for (const mail of mails) await enqueueMail(db, mail);
      return mails.length;
    });
  return sent;
}

/** Deletes the mails that are held after a restore. Returns how many; an interrupted run continues at the next one. */
export async function discardRestoredMails(database: Database): Promise<number> {
  let discarded = 0;
  for (let count = 1; count > 0; discarded += count) count = await inPlatform(database, deleteRestoredMails);
  return discarded;
}

/** Delivers a mail. */
export type Deliver = (id: number, mail: Mail) => Promise<void>;

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
export function deliverBySmtp(url: string, from: string): Deliver {
  const transport = createTransport({ url, connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 });
  return async (_id, mail) => {
    await transport.sendMail(toMessage(mail, from));
  };
}

/** Delivery into a folder, as one file `<id>.eml` per mail. */
export function deliverToFolder(folder: string, from: string): Deliver {
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
export const mailJobs = (database: Database, deliver: Deliver, clock: Clock): Job<{ id: number }>[] => {
  const outbox = new Outbox(database, deliver, clock);
  return [
    {
      name: PRIORITY_MAIL_JOB,
      retries: PRIORITY_RETRIES,
      maxRetryDelaySeconds: PRIORITY_RETRY_S,
      concurrency: 5,
      run: ({ id }) => outbox.sendPriority(id),
    },
    { name: MAIL_JOB, retries: 10, concurrency: 10, run: ({ id }) => outbox.send(id) },
  ];
};

class Outbox {
  readonly #database: Database;
  readonly #deliver: Deliver;
  readonly #clock: Clock;
  /** A delivery of this process has failed, and none has succeeded since. */
  #isServerUnavailable = false;

  constructor(database: Database, deliver: Deliver, clock: Clock) {
    this.#database = database;
    this.#deliver = deliver;
    this.#clock = clock;
  }

  /** Sends a priority mail. One that the mail server rejects is tried again as an ordinary mail, ten times. */
  async sendPriority(id: number): Promise<void> {
    try {
      await this.send(id);
    } catch (error) {
      if (!(error instanceof Error && 'responseCode' in error)) throw error;
      const startAfter = new Date(Date.now() + REJECTED_RETRY_MS);
      await inPlatform(this.#database, (db) => enqueue(db, MAIL_JOB, { id }, { startAfter }));
    }
  }

  async send(id: number): Promise<void> {
    const now = this.#clock.now();
    const claim = await inPlatform(this.#database, (db) => claimMail(db, id, now, leaseFrom(now)));
    if (claim.state === 'done') return;
    if (claim.state === 'taken') throw new Error('Another process is sending this mail.');
    const renewal = setInterval(
      () =>
        void inPlatform(this.#database, (db) => renewClaim(db, id, leaseFrom(this.#clock.now()))).catch(
          () => undefined,
        ),
      LEASE_RENEWAL_MS,
    );
    try {
      await this.#deliver(id, claim.mail);
    } catch (error) {
      await inPlatform(this.#database, (db) => releaseMail(db, id));
      if (!isServerUnavailable(error)) throw error;
      this.#isServerUnavailable = true;
      throw Object.assign(new MailServerUnavailable(error.message), { code: (error as NodeJS.ErrnoException).code });
    } finally {
      clearInterval(renewal);
    }
    countEvent('mail_sent');
    await inPlatform(this.#database, async (db) => {
      await markSent(db, id, this.#clock.now());
      if (this.#isServerUnavailable) await retryNow(db, [PRIORITY_MAIL_JOB, MAIL_JOB], MailServerUnavailable.name);
    });
    this.#isServerUnavailable = false;
  }
}
