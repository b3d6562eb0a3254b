import { ImapFlow } from 'imapflow';
import type { Services } from '../context.ts';
import type { Job } from '../jobs/queue.ts';
import { readBounce } from './bounce-report.ts';
import { recordBounce } from './mail.ts';

/** How many mails one run reads; the next one reads the rest. */
const MAX_MAILS = 200;
/** A report contains the headers of one mail, rarely the mail. */
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;

function connectTo(mailbox: string): { client: ImapFlow; folder: string } {
  const { protocol, hostname, port, username, password, pathname } = new URL(mailbox);
  const secure = protocol === 'imaps:';
  const client = new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 993 : 143) : Number(port),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  // A connection that ends in between rejects the command that waits for it.
  client.on('error', () => undefined);
  return { client, folder: decodeURIComponent(pathname.slice(1)) || 'INBOX' };
}

/**
 * Reads the mailbox to which mail servers return mails, the oldest first, and records what came back. A report about one
 * of our mails is deleted once it is recorded; everything else is marked as read and left for a person.
 * @returns how many reports were recorded
 */
export async function readBounceMailbox({ database, clock }: Services, mailbox: string, signal?: AbortSignal) {
  const { client, folder } = connectTo(mailbox);
  let recorded = 0;
  await client.connect();
  try {
    const lock = await client.getMailboxLock(folder);
    try {
      const unread = await client.search({ seen: false }, { uid: true });
      for (const uid of (unread || []).slice(0, MAX_MAILS)) {
        if (signal?.aborted) break;
        const message = await client.fetchOne(
          String(uid),
          { uid: true, source: { start: 0, maxLength: MAX_BYTES } },
          { uid: true },
        );
        const report = message && message.source ? await readBounce(message.source) : undefined;
        const isOurs =
          report !== undefined && (await recordBounce(database, report.messageKeys, report.fault, clock.now()));
        if (isOurs) recorded += 1;
        // Marked first: a mail that cannot be deleted is not read again at each run.
        await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
        if (isOurs) await client.messageDelete(String(uid), { uid: true });
      }
    } finally {
      lock.release();
    }
    await client.logout();
  } finally {
    client.close();
  }
  return recorded;
}

/** Every five minutes: records the mails that came back. */
export const bounceMailboxJob = (services: Services, mailbox: string): Job => ({
  name: 'bounce-mailbox',
  schedule: '*/5 * * * *',
  retries: 0,
  maxSeconds: 240,
  run: async (_data, signal) => void (await readBounceMailbox(services, mailbox, signal)),
});
