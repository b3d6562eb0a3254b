import { backgroundWorkCalls } from '#contract/calls/background-work.ts';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { inPlatform } from '../../../database/platform.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { sendMail } from '../../../mail/mail.ts';
import { NO_PEOPLE } from '../../../mail/outbox.queries.ts';
import { testApp } from '../../../testing/app.ts';

const app = testApp();
let token: string;
beforeEach(async () => {
  token = (await app.build.operator()).token;
  await sql`delete from pgboss.job`.execute(app.database.kysely);
});

const work = async () => (await app.call(backgroundWorkCalls.getBackgroundWork, { token })).reply;
const failed = async () => (await app.call(backgroundWorkCalls.listFailedJobs, { token })).reply;
const stateOf = async (name: string) => (await work()).jobs.find((job) => job.name === name);
const retry = (jobId: string, name: string) =>
  app.call(backgroundWorkCalls.retryJob, { token, params: { jobId }, body: { name } });

const fail = async (name: string, data: object) => {
  await inPlatform(app.database, (db) => enqueue(db, name, data));
  const { rows } = await sql<{ id: string }>`
    update pgboss.job set state = 'failed', completed_on = now(), retry_count = 5,
      output = '{"message": "the mail server is away"}' where name = ${name} and state = 'created' returning id`.execute(
    app.database.kysely,
  );
  return rows[0]!.id;
};

test('waiting and late jobs are counted, and jobs for later are not', async () => {
  await inPlatform(app.database, async (db) => {
    await enqueue(db, 'cleaning', {});
    await enqueue(db, 'cleaning', {}, { startAfter: new Date(Date.now() + 86_400_000) });
  });
  await sql`update pgboss.job set start_after = now() - interval '10 minutes' where start_after <= now()`.execute(
    app.database.kysely,
  );
  const state = await stateOf('cleaning');
  expect(state).toMatchObject({ waiting: 1, active: 0, failed: 0, schedule: '40 3 * * *', last_done_at: null });
  expect(state?.late_seconds).toBeGreaterThanOrEqual(600);
  await app.runJobs();
  expect(await stateOf('cleaning')).toMatchObject({ waiting: 0, late_seconds: 0 });
});

test('a failed job is listed, retried, and removed from the list', async () => {
  const school = await app.build.school();
  const invoiceMail = await fail('invoice-mail', { schoolId: school.id, invoiceId: 1 });
  const cleaning = await fail('cleaning', {});
  expect(
    (await failed()).jobs
      .map(({ id, name, enterprise_id: schoolId, tries, error }) => [id, name, schoolId, tries, error])
      .sort(),
  ).toEqual(
    [
      [cleaning, 'cleaning', null, 6, 'the mail server is away'],
      [invoiceMail, 'invoice-mail', school.id, 6, 'the mail server is away'],
    ].sort(),
  );
  expect((await retry(cleaning, 'cleaning')).status).toBe(200);
  expect((await failed()).jobs.map(({ id }) => id)).toEqual([invoiceMail]);
  expect(await app.runJobs()).toBe(1);
  expect((await stateOf('cleaning'))?.last_done_at).not.toBeNull();
});

test('a job that did not fail, is missing or has another name is not found', async () => {
  const id = await fail('cleaning', {});
  expect((await retry(id, 'mail')).status).toBe(404);
  expect((await retry(id, 'no-such-job')).status).toBe(404);
  expect((await retry('3f0c2b6e-9d1a-4f7b-8c25-5e7a1d9b4c33', 'cleaning')).error.error).toContain('has not failed');
  expect((await retry(id, 'cleaning')).status).toBe(200);
  expect((await retry(id, 'cleaning')).status).toBe(404);
});

test('waiting and failed mails are counted', async () => {
  const mail = { kind: 'invite' as const, recipient: 'a@test.example', subject: 's', html: 'h', text: 't' };
  const now = app.services.clock.now().getTime();
  const before = (await work()).mails;
  await inPlatform(app.database, (db) => sendMail(db, mail, NO_PEOPLE, new Date(now - 3_600_000)));
  const after = (await work()).mails;
  expect(after.waiting).toBe(before.waiting + 1);
  expect(after.late_seconds).toBe(3600);
  await app.database.kysely.updateTable('outbox').set({ text: null }).where('sent_at', 'is', null).execute();
  expect((await work()).mails).toMatchObject({ waiting: 0, late_seconds: 0, given_up: after.waiting });
});
