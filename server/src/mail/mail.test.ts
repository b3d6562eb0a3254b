import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessCalls } from '#contract/calls/access.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Clock } from '../clock.ts';
import { inPlatform } from '../database/platform.ts';
import { inSchool } from '../database/school.ts';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { LINK_TOKEN, type Mail, NO_PEOPLE } from './outbox.queries.ts';
import { type Delivery, deliverBySmtp, deliverToFolder, mailJobs, sendMail } from './mail.ts';

const app = testApp();
let school: BuiltSchool;
beforeAll(async () => {
  school = await app.build.school();
});
beforeEach(async () => {
  await app.runJobs();
  app.mails.splice(0);
});

const NOW = new Date('2026-11-18T12:00:00.000Z');
const mail = (subject: string) => ({
  kind: 'contact_request' as const,
  recipient: 'zoë@test.example',
  subject,
  html: '<p>Grüße, Zoë — “hello”</p>',
  text: 'Grüße, Zoë — “hello”',
});
const subjects = () => app.mails.map(({ subject }) => subject);
const clock = { now: () => NOW };
/** The job of ordinary mails, which delivers in this way at this time. */
const mailJob = (deliver: Delivery, time: Clock = clock) =>
  mailJobs({ ...app.services, clock: time }, deliver).find(({ name }) => name === 'mail')!;
const outboxId = async (subject: string) =>
  (await app.database.kysely.selectFrom('outbox').select('id').where('subject', '=', subject).executeTakeFirstOrThrow())
    .id;

describe('a mail', () => {
  test('a mail is sent with its headers after the commit and not before', async () => {
    const withHeaders = { ...mail('after commit'), headers: { 'List-Unsubscribe': '<https://test.example/stop>' } };
    await inSchool(app.database, school.id, async (db) => {
      await sendMail(db, withHeaders, NO_PEOPLE, NOW);
      expect(subjects()).toEqual([]);
    });
    expect(await app.runJobs()).toBe(1);
    expect(app.mails).toEqual([withHeaders]);
  });

  test('a mail of a transaction that rolls back is never sent', async () => {
    const half = inSchool(app.database, school.id, async (db) => {
      await sendMail(db, mail('rolled back'), NO_PEOPLE, NOW);
      throw new Error('halfway');
    });
    await expect(half).rejects.toThrow('halfway');
    expect(await app.runJobs()).toBe(0);
    expect(subjects()).toEqual([]);
  });

  test('a mail that belongs to no school is sent', async () => {
    await inPlatform(app.database, (db) => sendMail(db, mail('from the platform'), NO_PEOPLE, NOW));
    await app.runJobs();
    expect(subjects()).toEqual(['from the platform']);
  });

  test('a mail is delivered once even if its job runs twice', async () => {
    await inPlatform(app.database, (db) => sendMail(db, mail('once'), NO_PEOPLE, NOW));
    const id = await outboxId('once');
    await app.runJobs();
    const again = mailJob(async (_id, delivered) => void app.mails.push(delivered));
    await again.run({ id });
    expect(subjects()).toEqual(['once']);
  });

  test('a mail gets the token of its link at delivery, and leaves its kind, recipient and time but no content', async () => {
    const [recipient, subject] = [school.teacher.email, 'link'];
    const withLink: Mail = {
      ...mail(subject),
      recipient,
      text: `Open https://test.example/setup/${LINK_TOKEN}`,
      headers: { 'X-Test': 'header' },
      attachments: [{ name: 'a.txt', type: 'text/plain', content: 'YQ==' }],
      link: { kind: 'set_up', userId: school.teacher.id, schoolId: school.id, lasts: 60_000 },
    };
    await inPlatform(app.database, (db) => sendMail(db, withLink, NO_PEOPLE, NOW));
    const id = await outboxId(subject);
    await app.runJobs();
    const [, token = ''] = /setup\/([\w-]{43})$/.exec(app.mails[0]?.text ?? '') ?? [];
    const row = await app.database.kysely.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst();
    const content = { subject: null, html: null, text: null, headers: null, link: null, attachments: null };
    expect(row).toMatchObject({ kind: 'contact_request', recipient, sent_at: expect.any(Date), ...content });
    expect((await app.call(passwordCalls.exchangeSetUpLink, { body: { token } })).status).toBe(200);
  });

  test('a mail that two processes claim at once is delivered by one of them', async () => {
    await inPlatform(app.database, (db) => sendMail(db, mail('at once'), NO_PEOPLE, NOW));
    const id = await outboxId('at once');
    let delivered = 0;
    const job = mailJob(async () => {
      delivered += 1;
      await expect(job.run({ id })).rejects.toThrow();
    });
    await job.run({ id });
    expect(delivered).toBe(1);
  });

  test('a mail that cannot be delivered is tried again', async () => {
    await inPlatform(app.database, (db) => sendMail(db, mail('second try'), NO_PEOPLE, NOW));
    const id = await outboxId('second try');
    await expect(mailJob(() => Promise.reject(new Error('mailbox busy'))).run({ id })).rejects.toThrow('mailbox busy');
    await mailJob(async (_id, delivered) => void app.mails.push(delivered)).run({ id });
    expect(subjects()).toEqual(['second try']);
  });

  test('a mail that is being delivered blocks no request', async () => {
    await inPlatform(app.database, (db) => sendMail(db, mail('slow'), NO_PEOPLE, NOW));
    let status = 0;
    const job = mailJob(
      async () => void (status = (await app.call(accessCalls.getMe, { token: school.admin.token })).status),
    );
    await job.run({ id: await outboxId('slow') });
    expect(status).toBe(200);
  });
});

describe('a mail being delivered', () => {
  afterEach(() => void vi.useRealTimers());

  /** A mail whose delivery does not end until it is let; `tryAgain` is what another process does. */
  async function beginDelivery(subject: string) {
    // By intervals a process gives its signs of life, and nothing else here uses them.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await inPlatform(app.database, (db) => sendMail(db, mail(subject), NO_PEOPLE, NOW));
    const id = await outboxId(subject);
    let time = NOW.getTime();
    const later = { now: () => new Date(time) };
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const deliver = async () => {
      started.resolve();
      await released.promise;
    };
    const delivery = mailJob(deliver, later).run({ id });
    await started.promise;
    return {
      leaseOf: async () =>
        (
          await app.database.kysely
            .selectFrom('outbox')
            .select('sending_until')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
        ).sending_until?.getTime() ?? 0,
      passSilently: (milliseconds: number) => void (time += milliseconds),
      now: () => time,
      tryAgain: () => mailJob(async (_id, delivered) => void app.mails.push(delivered), later).run({ id }),
      end: async () => {
        released.resolve();
        await delivery;
      },
    };
  }

  test('a mail whose process was killed is sent by another process within a minute', async () => {
    const { passSilently, tryAgain, end } = await beginDelivery('process killed');
    await expect(tryAgain()).rejects.toThrow('Another process');
    passSilently(60_000);
    await tryAgain();
    expect(subjects()).toEqual(['process killed']);
    await end();
  });

  test('a mail is not sent by another process while its own renews the lease', async () => {
    const { leaseOf, now, passSilently, tryAgain, end } = await beginDelivery('slow server');
    for (let minute = 0; minute < 3; minute += 1) {
      passSilently(60_000);
      vi.advanceTimersByTime(60_000);
      await expect.poll(leaseOf).toBeGreaterThan(now());
      await expect(tryAgain()).rejects.toThrow('Another process');
    }
    await end();
    expect(subjects()).toEqual([]);
    expect(await leaseOf()).toBe(0);
  });
});

/** Longer than a line of a mail usually is. */
const STOP = {
  'List-Unsubscribe': `<https://portal.test.example/digest/unsubscribe/${'x'.repeat(43)}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
};

const SENDER = { from: '"Storylark, Ltd" <no-reply@test.example>', returnAddress: 'bounces@test.example' };
const MESSAGE_KEY = '3f0c2b6e-9d1a-4f7b-8c25-5e7a1d9b4c33';

describe('delivery', () => {
  test('delivery by SMTP sends recipient, sender, subject and both texts', async () => {
    const received: { from: string; to: string[]; content: string }[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            content: Buffer.concat(parts).toString(),
          });
          done();
        });
      },
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.server.address() as { port: number };
    await deliverBySmtp(`smtp://127.0.0.1:${port}`, SENDER)(
      1,
      { ...mail('Grüße'), recipient: 'zoe@test.example', headers: STOP },
      MESSAGE_KEY,
    );
    await new Promise<void>((done) => server.close(() => done()));
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ from: 'bounces@test.example', to: ['zoe@test.example'] });
    expect(received[0]?.content).toContain('From: "Storylark, Ltd" <no-reply@test.example>\r\n');
    expect(received[0]?.content).toContain(`Message-ID: <${MESSAGE_KEY}@test.example>\r\n`);
    expect(received[0]?.content).toContain('Auto-Submitted: auto-generated\r\n');
    expect(received[0]?.content).toContain('\r\nX-Auto-Response-Suppress: OOF, AutoReply\r\n');
    expect(received[0]?.content).toMatch(/^Content-Type: multipart\/alternative/m);
    // A long line of the head goes on in the next, which begins with a space.
    expect(received[0]?.content.replace(/:\r\n +/g, ': ')).toContain(
      `List-Unsubscribe: ${STOP['List-Unsubscribe']}\r\n`,
    );
    expect(received[0]?.content).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
    expect(received[0]?.content).toMatch(/^Subject: =\?UTF-8\?/m);
  });

  test('delivery into a folder writes a file that mail programs can read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'outbox-'));
    await deliverToFolder(join(folder, 'new'), SENDER)(7, { ...mail('Hello'), headers: STOP }, MESSAGE_KEY);
    expect(await readdir(join(folder, 'new'))).toEqual(['000007.eml']);
    const text = await readFile(join(folder, 'new', '000007.eml'), 'utf8');
    await rm(folder, { recursive: true });
    const [head = '', ...body] = text.split('\n\n');
    const headers = new Map(
      head
        .replace(/\n\s+/g, ' ')
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    expect(headers.get('subject')).toBe('Hello');
    expect(headers.get('list-unsubscribe')).toBe(STOP['List-Unsubscribe']);
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(headers.get('from')).toContain('no-reply@test.example');
    expect(headers.get('mime-version')).toBe('1.0');
    const boundary = /boundary="(.+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? 'none';
    const parts = body.join('\n\n').split(`--${boundary}`).slice(1, -1);
    const decoded = parts.map((part) => {
      const [partHead = '', ...paragraphs] = part.trimStart().split('\n\n');
      const content = paragraphs.join('\n\n').trim();
      const bytes = /quoted-printable/i.test(partHead)
        ? Buffer.from(
            content
              .replace(/=\n/g, '')
              .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          )
        : Buffer.from(content, /base64/i.test(partHead) ? 'base64' : 'utf8');
      return [/Content-Type: (\S+);/.exec(partHead)?.[1], bytes.toString('utf8')];
    });
    expect(decoded).toEqual([
      ['text/plain', mail('').text],
      ['text/html', mail('').html],
    ]);
  });
});
