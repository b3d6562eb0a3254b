import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Services } from '../context.ts';
import type { Database } from '../database/database.ts';
import { inPlatform, withPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import type { SchoolDb } from '../database/school.ts';
import { retryNow } from '../jobs/jobs.queries.ts';
import { enqueue, type Job } from '../jobs/queue.ts';
import { countEvent } from '../logging/event-counts.ts';
import {
  excuseAddress,
  findDeliveriesAbout,
  findDeliveriesTo,
  type FoundDelivery,
  listBlockedAddresses,
  markBounced,
  markRejected,
  markSent,
  releaseMail,
} from './delivery.queries.ts';
import { type MailFault, faultOf } from './mail-faults.ts';
import {
  claimMail,
  countWaitingOf,
  deleteRestoredMails,
  insertMail,
  type Mail,
  type MailKind,
  type PeopleOfMail,
  type QueuedMail,
  releaseHeldMails,
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
/** Mails to the company that runs the portal. They are tried whatever came back before: what they say is stored nowhere else. */
const COMPANY_KINDS: ReadonlySet<MailKind> = new Set([
  'audit_alarm',
  'contact_request',
  'enquiry',
  'payment_report',
  'unmatched_payment',
]);
const jobFor = (kind: MailKind): string => (PRIORITY_KINDS.has(kind) ? PRIORITY_MAIL_JOB : MAIL_JOB);

/** Those of some addresses, in lower case, to which nothing is sent because mails to them bounced. */
export const findBouncedAddresses = (db: SchoolDb, addresses: readonly string[]): Promise<Set<string>> =>
  withPlatform(db, (platform) => listBlockedAddresses(platform, addresses));

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

/** Forgets what bounced to an address that a school gives up. */
export const forgetBounces = (db: SchoolDb, address: string): Promise<boolean> =>
  withPlatform(db, (platform) => excuseAddress(platform, address));

/** Mails of a school whose state is shown, and addresses to which nothing is sent. */
interface FoundDeliveries {
  /** The latest mail to the user's own address, and to each of the school's addresses in lower case. */
  toOwn: FoundDelivery | undefined;
  to: Map<string, FoundDelivery>;
  about: Map<string, FoundDelivery>;
  blocked: Set<string>;
}

/**
 * The latest mails of a school.
 * @param own the user's address, whose mails of any school count
 * @param abouts what mails are about: `Mail.about`
 */
export const findDeliveries = (
  db: SchoolDb,
  own: string,
  addresses: readonly string[],
  abouts: readonly string[],
): Promise<FoundDeliveries> =>
  withPlatform(db, async (platform) => ({
    toOwn: (await findDeliveriesTo(platform, [own])).get(own.toLowerCase()),
    to: await findDeliveriesTo(platform, addresses, db.schoolId),
    about: await findDeliveriesAbout(platform, db.schoolId, abouts),
    blocked: await listBlockedAddresses(platform, [own, ...addresses]),
  }));

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

/**
 * Delivers a mail.
 * @param messageKey the same each time that the mail is tried
 */
export type Delivery = (id: number, mail: Mail, messageKey: string) => Promise<void>;

/** Names the mail in our own header: some mail services replace the Message-ID. */
const MAIL_ID_HEADER = 'X-Mail-ID';

/**
 * Answers of absent people are asked not to come. Bounces are not suppressed: `All` and `NDR` would. Source: RFC 3834 and
 * [MS-OXCMAIL] 2.2.3.2.14.
 */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' };

export interface Sender {
  /** Name and address, as in the header From. */
  from: string;
  /** Where the mail servers of recipients return mails; the address of `from` when absent. */
  returnAddress?: string | undefined;
}

const addressIn = (from: string): string => /<(.+)>$/.exec(from)?.[1] ?? from;

const toMessage = (
  { recipient, subject, html, text, headers = {}, attachments = [] }: Mail,
  messageKey: string,
  { from, returnAddress = addressIn(from) }: Sender,
) => ({
  from,
  to: recipient,
  envelope: { from: returnAddress, to: recipient },
  messageId: `<${messageKey}@${addressIn(from).split('@')[1]}>`,
  subject,
  html,
  text,
  headers: { ...AUTOMATIC, [MAIL_ID_HEADER]: messageKey, ...headers },
  attachments: attachments.map(({ name, type, content }) => ({
    filename: name,
    contentType: type,
    content: Buffer.from(content, 'base64'),
  })),
});

/** Delivery by an SMTP server. */
export function deliverBySmtp(url: string, sender: Sender): Delivery {
  const transport = createTransport({ url, connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 });
  return async (_id, mail, messageKey) => {
    await transport.sendMail(toMessage(mail, messageKey, sender));
  };
}

/** Delivery into a folder, as one file `<id>.eml` per mail. */
export function deliverToFolder(folder: string, sender: Sender): Delivery {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return async (id, mail, messageKey) => {
    const { message } = await transport.sendMail(toMessage(mail, messageKey, sender));
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

/** Why nothing is sent to an address that bounced. */
const BLOCKED: MailFault = {
  kind: 'mail',
  code: null,
  words: 'Not sent: two emails to this address came back. Change the address.',
};

/** Leases a mail to send it. One to an address that bounced is rejected instead. */
async function claim(db: PlatformDb, config: Services['config'], id: number, now: Date) {
  const claimed = await claimMail(db, config, id, now, leaseFrom(now));
  if (claimed.state !== 'free' || COMPANY_KINDS.has(claimed.mail.kind)) return claimed;
  if ((await listBlockedAddresses(db, [claimed.mail.recipient])).size === 0) return claimed;
  await markRejected(db, id, BLOCKED, now);
  return { state: 'done' } as const;
}

/** Records that a mail server returned a mail after it had accepted it. Returns false when it was none of ours. */
export const recordBounce = (
  database: Database,
  messageKeys: readonly string[],
  fault: MailFault,
  now: Date,
): Promise<boolean> =>
  inPlatform(database, async (db) => {
    const isOurs = await markBounced(db, messageKeys, fault, now);
    if (isOurs) countEvent(fault.kind === 'ours' ? 'mail_blamed_on_us' : 'mail_bounced');
    return isOurs;
  });

/**
 * The jobs that send a mail of the outbox, one for each queue. A mail that was sent is not sent again. No transaction is
 * open during delivery: a slow mail server would occupy the one connection of the embedded database.
 */
export function mailJobs({ database, clock, config }: Services, deliver: Delivery): Job<{ id: number }>[] {
  /** A delivery of this process has failed, and none has succeeded since. */
  let isOutage = false;

  /** Ends the mail that a server rejected for good; otherwise throws, so that it is tried again. */
  async function endOrThrow(id: number, error: unknown): Promise<void> {
    const fault = faultOf(error);
    if (fault && !['server', 'passing'].includes(fault.kind)) {
      countEvent(fault.kind === 'ours' ? 'mail_blamed_on_us' : 'mail_rejected');
      await inPlatform(database, (db) => markRejected(db, id, fault, clock.now()));
      return;
    }
    await inPlatform(database, (db) => releaseMail(db, id, fault));
    if (fault?.kind !== 'server') throw error;
    isOutage = true;
    throw Object.assign(new MailServerUnavailable(fault.words), { code: (error as NodeJS.ErrnoException).code });
  }

  async function send(id: number): Promise<void> {
    const now = clock.now();
    const claimed = await inPlatform(database, (db) => claim(db, config, id, now));
    if (claimed.state === 'done') return;
    if (claimed.state === 'taken') throw new Error('Another process is sending this mail.');
    const renew = () => inPlatform(database, (db) => renewClaim(db, id, leaseFrom(clock.now()))).catch(() => undefined);
    const renewal = setInterval(() => void renew(), LEASE_RENEWAL_MS);
    try {
      await deliver(id, claimed.mail, claimed.messageKey);
    } catch (error) {
      return await endOrThrow(id, error);
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

  /** Sends a priority mail. One that the mail server rejects for now is tried again as an ordinary mail. */
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
