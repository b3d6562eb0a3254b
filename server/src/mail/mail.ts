import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { inPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import type { SchoolDb } from '../database/school.ts';
import { enqueue, type Job } from '../jobs/queue.ts';
import {
  claimMail,
  insertMail,
  type Mail,
  markSent,
  releaseHeldMails,
  releaseMail,
  renewClaim,
} from './outbox.queries.ts';

const JOB = 'mail';

/** Writes a mail in the transaction of `db`; it is sent after the commit. */
export async function sendMail(db: SchoolDb | PlatformDb, mail: Mail, now: Date): Promise<void> {
  const id = await insertMail(db, mail, now);
  await enqueue(db, JOB, { id });
}

/** Writes a mail that is sent once this user's address is confirmed: `sendHeldMails`. */
export async function holdMail(db: SchoolDb | PlatformDb, mail: Mail, userId: number, now: Date): Promise<void> {
  await insertMail(db, mail, now, userId);
}

/** Sends the mails that waited for this user's address. */
export async function sendHeldMails(db: PlatformDb, userId: number, now: Date): Promise<void> {
  for (const id of await releaseHeldMails(db, userId, now)) await enqueue(db, JOB, { id });
}

/** Hands a mail to the world. */
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

/** Delivery into a folder, a file `<id>.eml` each. */
export function deliverToFolder(folder: string, from: string): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return async (id, mail) => {
    const { message } = await transport.sendMail(toMessage(mail, from));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${String(id).padStart(6, '0')}.eml`), message as Buffer);
  };
}

/** How long a mail stays taken without a sign of life from the process that delivers it, and how often it gives one. */
const LEASE_MS = 20_000;
const RENEWED_EVERY_MS = 5000;

const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/**
 * The job that sends a mail of the outbox; a mail that was sent is not sent again.
 * No transaction is open meanwhile: a slow mail server would hold the one connection of the embedded database.
 */
export const mailJob = (database: Database, deliver: Deliver, clock: Clock): Job<{ id: number }> => ({
  name: JOB,
  retries: 10,
  run: async ({ id }) => {
    const now = clock.now();
    const claim = await inPlatform(database, (db) => claimMail(db, id, now, leaseFrom(now)));
    if (claim.state === 'done') return;
    if (claim.state === 'taken') throw new Error('Another process is sending this mail.');
    const renewal = setInterval(
      () => void inPlatform(database, (db) => renewClaim(db, id, leaseFrom(clock.now()))).catch(() => undefined),
      RENEWED_EVERY_MS,
    );
    try {
      await deliver(id, claim.mail);
    } catch (error) {
      await inPlatform(database, (db) => releaseMail(db, id));
      throw error;
    } finally {
      clearInterval(renewal);
    }
    await inPlatform(database, (db) => markSent(db, id, clock.now()));
  },
});
