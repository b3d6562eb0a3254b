import { passwordCalls } from '#contract/calls/passwords.ts';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { listJobs } from '../app.ts';
import { inPlatform } from '../database/platform.ts';
import { inSchool } from '../database/school.ts';
import { openQueue, type Queue } from '../jobs/queue.ts';
import { testApp } from '../testing/app.ts';
import { type Delivery, sendMail } from './mail.ts';
import { NO_PEOPLE } from './outbox.queries.ts';

const app = testApp({ HIDE_ACCOUNTS: 'on' });
afterEach(() => sql`delete from pgboss.job where name in ('mail', 'priority-mail')`.execute(app.database.kysely));

const invitationTo = (recipient: string) =>
  ({ kind: 'invite', recipient, subject: 'Join us', html: 'Join us', text: 'Join us' }) as const;

/** Queues invitations of a school, each in a transaction of its own. */
async function invite(schoolId: number, name: string, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1)
    await inSchool(app.database, schoolId, (db) =>
      sendMail(db, invitationTo(`${name}-${n}@test.example`), NO_PEOPLE, new Date()),
    );
}

async function withQueue(deliver: Delivery, work: (queue: Queue) => Promise<void>): Promise<void> {
  const queue = await openQueue(app.database, listJobs(app.services, deliver), () => undefined);
  try {
    await work(queue);
  } finally {
    await queue.stop();
  }
}

/** A mail server whose deliveries fail while it has a failure. */
function createMailServer() {
  const delivered: string[] = [];
  const server = { failure: undefined as Error | undefined, tries: 0, delivered };
  const deliver: Delivery = async (_id, { recipient }) => {
    server.tries += 1;
    if (server.failure) throw server.failure;
    delivered.push(recipient);
  };
  return { server, deliver };
}
const AWAY = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET' });
const BUSY = Object.assign(new Error('mailbox unavailable'), {
  code: 'EENVELOPE',
  responseCode: 450,
  command: 'RCPT TO',
});

const listMailJobs = async () =>
  (
    await sql<{ name: string; state: string; delay: number; retry_limit: number }>`
      select name, state, extract(epoch from start_after - now())::float as delay, retry_limit from pgboss.job
      where name in ('mail', 'priority-mail') and state < 'active' order by created_on`.execute(app.database.kysely)
  ).rows;

/** Moves the next tries of mails into the past. */
const makeTriesDue = () =>
  sql`update pgboss.job set start_after = now() where name in ('mail', 'priority-mail') and state = 'retry'`.execute(
    app.database.kysely,
  );

/** Fails one try of each mail that is due, as a process does whose mail server is away. */
const failDue = (queue: Queue) => expect(queue.drain()).rejects.toThrow();

test('schools take turns with their mails, so that the first of one are sent before the many of another', async () => {
  const [big, small] = [await app.build.school(), await app.build.school()];
  await app.runJobs();
  const [batchStarted, mailServerAnswers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const started: string[] = [];
  const deliver: Delivery = (_id, { recipient }) => {
    started.push(recipient);
    if (started.length === 10) batchStarted.resolve();
    return mailServerAnswers.promise;
  };
  await withQueue(deliver, async (queue) => {
    await invite(big.id, 'big', 30);
    await invite(small.id, 'small', 2);
    await inPlatform(app.database, (db) => sendMail(db, invitationTo('platform@test.example'), NO_PEOPLE, new Date()));
    await queue.work();
    await batchStarted.promise;
    const first = [1, 2, 3, 4, 5, 6, 7].map((n) => `big-${n}@test.example`);
    expect(started.toSorted()).toEqual([
      ...first,
      'platform@test.example',
      'small-1@test.example',
      'small-2@test.example',
    ]);
    mailServerAnswers.resolve();
    await expect.poll(() => started.length).toBe(33);
  });
});

test('a password reset is tried again within a minute after a long outage of the mail server', async () => {
  const { teacher } = await app.build.school();
  await app.runJobs();
  const { server, deliver } = createMailServer();
  await withQueue(deliver, async (queue) => {
    await app.call(passwordCalls.requestPasswordReset, { body: { email: teacher.email } });
    server.failure = AWAY;
    for (let tries = 1; tries <= 15; tries += 1) {
      await failDue(queue);
      const [job] = await listMailJobs();
      expect(job).toMatchObject({ name: 'priority-mail', state: 'retry' });
      expect(job?.delay).toBeLessThanOrEqual(60);
      await makeTriesDue();
    }
    server.failure = undefined;
    await queue.drain();
    expect(server.delivered).toEqual([teacher.email]);
  });
});

test('the first delivery after an outage of the mail server sends the delayed mails', async () => {
  const school = await app.build.school();
  await app.runJobs();
  const { server, deliver } = createMailServer();
  await withQueue(deliver, async (queue) => {
    await invite(school.id, 'delayed', 1);
    server.failure = AWAY;
    await failDue(queue);
    expect((await listMailJobs())[0]?.delay).toBeGreaterThan(0);
    server.failure = undefined;
    expect(await queue.drain()).toBe(0);
    await invite(school.id, 'next', 1);
    expect(await queue.drain()).toBe(2);
    expect(server.delivered).toEqual(['next-1@test.example', 'delayed-1@test.example']);
  });
});

test('a mail that the mail server rejects for now is not tried again when another one is delivered', async () => {
  const school = await app.build.school();
  await app.runJobs();
  const { server, deliver } = createMailServer();
  await withQueue(deliver, async (queue) => {
    await invite(school.id, 'rejected', 1);
    server.failure = BUSY;
    await failDue(queue);
    await invite(school.id, 'accepted', 1);
    server.failure = undefined;
    await queue.drain();
    expect(server.delivered).toEqual(['accepted-1@test.example']);
    const [job] = await listMailJobs();
    expect(job).toMatchObject({ state: 'retry' });
    expect(job?.delay).toBeGreaterThan(0);
  });
});

test('a password reset that the mail server rejects for now is tried again as an ordinary mail', async () => {
  const { teacher } = await app.build.school();
  await app.runJobs();
  const { server, deliver } = createMailServer();
  await withQueue(deliver, async (queue) => {
    await app.call(passwordCalls.requestPasswordReset, { body: { email: teacher.email } });
    server.failure = BUSY;
    await queue.drain();
    expect(await listMailJobs()).toMatchObject([{ name: 'mail', state: 'created', retry_limit: 10 }]);
  });
});
