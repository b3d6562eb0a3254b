import { accessCalls } from '#contract/calls/access.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { cleanupJob } from './cleanup.jobs.ts';

const app = testApp();
const START = Date.parse('2026-11-18T12:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const setTimeAfter = (milliseconds: number) => app.setTime(new Date(START + milliseconds).toISOString());
const cleanUpAfter = async (milliseconds: number) => {
  setTimeAfter(milliseconds);
  await app.runJobs({ scheduled: true });
};

/** The rows of a table that these tests created. */
async function countRows(table: string, where = sql<boolean>`true`): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where ${where}`.execute(
    app.database.kysely,
  );
  return rows[0]?.n ?? Number.NaN;
}
const sessionsOf = (userId: number) => countRows('sessions', sql`user_id = ${userId}`);

beforeEach(() => setTimeAfter(0));

test('the cleanup jobs are scheduled for each night in London', async () => {
  const { rows } =
    await sql`select name, cron, timezone from pgboss.schedule where name like '%cleaning' order by name`.execute(
      app.database.kysely,
    );
  expect(rows).toEqual([
    { name: 'archive-cleaning', cron: '55 3 * * *', timezone: 'Europe/London' },
    { name: 'cleaning', cron: '40 3 * * *', timezone: 'Europe/London' },
    { name: 'digests-cleaning', cron: '48 3 * * *', timezone: 'Europe/London' },
    { name: 'hidden-accounts-cleaning', cron: '50 3 * * *', timezone: 'Europe/London' },
    { name: 'invites-cleaning', cron: '50 3 * * *', timezone: 'Europe/London' },
    { name: 'login-sheets-cleaning', cron: '45 3 * * *', timezone: 'Europe/London' },
    { name: 'withdrawn-books-cleaning', cron: '52 3 * * *', timezone: 'Europe/London' },
    { name: 'year-ends-cleaning', cron: '58 3 * * *', timezone: 'Europe/London' },
  ]);
});

describe('the nightly cleanup keeps a session', () => {
  test('until it has been unused for 30 days', async () => {
    const { admin, teacher } = await app.build.school();
    await cleanUpAfter(20 * DAY);
    expect((await app.call(accessCalls.getMe, { token: teacher.token })).status).toBe(200);
    await cleanUpAfter(30 * DAY - 1);
    expect([await sessionsOf(admin.id), await sessionsOf(teacher.id)]).toEqual([1, 1]);
    await cleanUpAfter(30 * DAY);
    expect([await sessionsOf(admin.id), await sessionsOf(teacher.id)]).toEqual([0, 1]);
    expect((await app.call(accessCalls.getMe, { token: teacher.token })).status).toBe(200);
  });

  test('until 90 days after its login, however much it is used', async () => {
    const { admin } = await app.build.school();
    for (const day of [25, 50, 75]) {
      setTimeAfter(day * DAY);
      expect((await app.call(accessCalls.getMe, { token: admin.token })).status).toBe(200);
    }
    await cleanUpAfter(90 * DAY - 1);
    expect(await sessionsOf(admin.id)).toBe(1);
    expect((await app.call(accessCalls.getMe, { token: admin.token })).status).toBe(200);
    await cleanUpAfter(90 * DAY);
    expect(await sessionsOf(admin.id)).toBe(0);
  });
});

test('the nightly cleanup keeps an Idempotency-Key for a day', async () => {
  const { id, admin } = await app.build.school();
  const create = () =>
    app.call(classCalls.createClass, {
      token: admin.token,
      params: { id },
      body: { name: 'Year 1 Wagtails' },
      headers: { 'idempotency-key': 'wagtails' },
    });
  const keys = () => countRows('idempotency_keys', sql`school_id = ${id}`);
  const first = await create();
  await cleanUpAfter(DAY - 1);
  expect(await keys()).toBe(1);
  expect((await create()).reply).toEqual(first.reply);
  await cleanUpAfter(DAY);
  expect(await keys()).toBe(0);
});

test('the nightly cleanup keeps the count of wrong passwords until its window of 5 minutes is over', async () => {
  const { ownClass } = await app.build.school();
  const [pupil] = ownClass.pupils;
  const guess = () =>
    app.call(readingAppCalls.logInPupil, { body: { username: pupil?.username ?? '', password: 'guess' } });
  const counts = () => countRows('rate_limits', sql`window_ends_at = ${new Date(START + 300_000)}`);
  for (let n = 0; n < 10; n += 1) expect((await guess()).status).toBe(401);
  await cleanUpAfter(299_999);
  expect((await guess()).status).toBe(429);
  expect(await counts()).toBe(2);
  await cleanUpAfter(300_000);
  expect(await counts()).toBe(0);
  expect((await guess()).status).toBe(401);
});

test('the nightly cleanup keeps a one-time link until it expires', async () => {
  const { teacher } = await app.build.school();
  const token = await app.build.link('password_reset', teacher.id);
  const links = () => countRows('one_time_links', sql`user_id = ${teacher.id}`);
  await cleanUpAfter(HOUR - 1);
  expect((await app.call(passwordCalls.verifyPasswordReset, { body: { token } })).status).toBe(200);
  await cleanUpAfter(HOUR);
  expect(await links()).toBe(0);
});

test('the nightly cleanup keeps new logins for a day', async () => {
  const { id, admin } = await app.build.school();
  const body = { readers: [{ name: 'Ada Byron' }] };
  const { reply } = await app.call(pupilImportCalls.createPupils, { token: admin.token, params: { id }, body });
  const token = /([^/]+)$/.exec(reply.links?.logins ?? '')?.[1] ?? '';
  const sheets = () => countRows('login_sheets', sql`school_id = ${id}`);
  await cleanUpAfter(DAY - 1);
  expect((await app.call(loginCardCalls.getFile, { token: admin.token, params: { token } })).status).toBe(200);
  await cleanUpAfter(DAY);
  expect(await sheets()).toBe(0);
});

test('the nightly cleanup removes an invite with its link a year after it expired', async () => {
  const school = await app.build.school();
  const { id, link } = await app.build.invite(school);
  const left = async () => [
    await countRows('invites', sql`id = ${id}::uuid`),
    await countRows('invite_links', sql`invite_id = ${id}::uuid`),
  ];
  await cleanUpAfter((14 + 365) * DAY - 1);
  expect(await left()).toEqual([1, 1]);
  await cleanUpAfter((14 + 365) * DAY);
  expect(await left()).toEqual([0, 0]);
  expect((await app.call(inviteCalls.getInvite, { params: { inviteId: link } })).status).toBe(404);
});

test('the nightly cleanup removes in more than one batch', async () => {
  await sql`insert into rate_limits (key, tries, window_ends_at)
    select 'batch ' || n, 1, ${new Date(START)} from generate_series(1, 5001) n`.execute(app.database.kysely);
  await cleanUpAfter(HOUR);
  expect(await countRows('rate_limits', sql`key like 'batch %'`)).toBe(0);
});

describe('the nightly cleanup of weekly digests', () => {
  const START_OF_RECORD = new Date(START);
  beforeEach(async () => {
    const { id, admin } = await app.build.school();
    await sql`insert into digest_links (token_hash, school_id, user_id, created_at)
      select sha256(n::text::bytea), ${id}, ${admin.id}, ${START_OF_RECORD} from generate_series(1, 5001) n`.execute(
      app.database.kysely,
    );
    await sql`insert into digests_sent (school_id, user_id, week, sent_at)
      select ${id}, ${admin.id}, date '1950-01-02' + 7 * n, ${START_OF_RECORD} from generate_series(1, 5001) n`.execute(
      app.database.kysely,
    );
  });

  test('deletes records and links after a year, in more than one batch', async () => {
    await cleanUpAfter(365 * DAY);
    expect([await countRows('digest_links'), await countRows('digests_sent')]).toEqual([5001, 5001]);
    await cleanUpAfter(365 * DAY + 1);
    expect([await countRows('digest_links'), await countRows('digests_sent')]).toEqual([0, 0]);
  });
});

describe('a cleanup that fails', () => {
  beforeEach(async () => {
    await sql`create function fail_cleanup() returns trigger language plpgsql as 'begin raise exception ''no''; end'`.execute(
      app.database.kysely,
    );
    await sql`create trigger fail_cleanup before delete on sessions execute function fail_cleanup()`.execute(
      app.database.kysely,
    );
  });
  afterEach(() => sql`drop function fail_cleanup() cascade`.execute(app.database.kysely));

  test('does not stop the next ones, and the job still fails with its error', async () => {
    const { teacher } = await app.build.school();
    await app.build.link('password_reset', teacher.id);
    setTimeAfter(90 * DAY);
    await expect(cleanupJob(app.services).run({})).rejects.toMatchObject({
      message: '2 of 9 cleanups failed',
      errors: [{ message: 'no' }, { message: 'no' }],
    });
    expect(await sessionsOf(teacher.id)).toBe(1);
    expect(await countRows('one_time_links')).toBe(0);
  });
});
