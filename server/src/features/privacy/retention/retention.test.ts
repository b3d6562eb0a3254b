import { readFileSync } from 'node:fs';
import { accessCalls } from '#contract/calls/access.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, makeSession } from '../../../testing/builder.ts';
import { checkInvariants } from '../../../database/invariants.queries.ts';
import { inPlatform } from '../../../database/platform.ts';
import { replaceRetentionTable } from '../registry/registry.public.ts';
import { retentionJob } from './retention.jobs.ts';
import { carryOutRetention } from './retention.service.ts';

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

test('one job cleans up each night in London', async () => {
  const { rows } = await sql`select name, cron, timezone from pgboss.schedule where name like '%cleaning'`.execute(
    app.database.kysely,
  );
  expect(rows).toEqual([{ name: 'cleaning', cron: '40 3 * * *', timezone: 'Europe/London' }]);
});

describe('sessions', () => {
  test('the nightly cleanup keeps a session until it has been unused for 30 days', async () => {
    const { admin, teacher } = await app.build.school();
    await cleanUpAfter(20 * DAY);
    expect((await app.call(accessCalls.getMe, { token: teacher.token })).status).toBe(200);
    await cleanUpAfter(30 * DAY - 1);
    expect([await sessionsOf(admin.id), await sessionsOf(teacher.id)]).toEqual([1, 1]);
    await cleanUpAfter(30 * DAY);
    expect([await sessionsOf(admin.id), await sessionsOf(teacher.id)]).toEqual([0, 1]);
    expect((await app.call(accessCalls.getMe, { token: teacher.token })).status).toBe(200);
  });

  test('the nightly cleanup removes a session 90 days after its login, however much it is used', async () => {
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
      headers: { 'idempotency-key': 'create-wagtails-once' },
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
  const { teacher } = await app.build.school();
  const guess = () => app.call(accessCalls.logIn, { body: { email: teacher.email, password: 'guess' } });
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

test('the nightly cleanup removes a program 24 months after it ended, and none that works', async () => {
  const school = await app.build.school();
  const { id } = await app.build.program(school, { days: 1 });
  const working = await app.build.program(school, { days: 1000 });
  const left = () => countRows('programs', sql`id in (${id}, ${working.id})`);
  await cleanUpAfter(DAY);
  expect(await left()).toBe(2);
  app.setTime('2028-11-19T11:59:59.999Z');
  await app.runJobs({ scheduled: true });
  expect(await left()).toBe(2);
  app.setTime('2028-11-19T12:00:00.000Z');
  await app.runJobs({ scheduled: true });
  expect(await left()).toBe(1);
});

test('the nightly cleanup deletes records and links of weekly digests after a year, in more than one batch', async () => {
  const { id, admin } = await app.build.school();
  await sql`insert into digest_links (token_hash, school_id, user_id, created_at)
    select sha256(n::text::bytea), ${id}, ${admin.id}, ${new Date(START)} from generate_series(1, 5001) n`.execute(
    app.database.kysely,
  );
  await sql`insert into digests_sent (school_id, user_id, week, sent_at)
    select ${id}, ${admin.id}, date '1950-01-02' + 7 * n, ${new Date(START)} from generate_series(1, 5001) n`.execute(
    app.database.kysely,
  );
  await cleanUpAfter(365 * DAY - 1);
  expect([await countRows('digest_links'), await countRows('digests_sent')]).toEqual([5001, 5001]);
  await cleanUpAfter(365 * DAY);
  expect([await countRows('digest_links'), await countRows('digests_sent')]).toEqual([0, 0]);
});

test('a retention rule that fails does not stop the next ones, and the job fails with its error', async () => {
  const raw = (text: string) => sql.raw(text).execute(app.database.kysely);
  const { teacher } = await app.build.school();
  await app.build.link('password_reset', teacher.id);
  await raw(`create function fail_cleanup() returns trigger language plpgsql as 'begin raise exception ''no''; end'`);
  onTestFinished(async () => void (await raw('drop function fail_cleanup() cascade')));
  await raw('create trigger fail_cleanup before delete on sessions execute function fail_cleanup()');
  setTimeAfter(90 * DAY);
  await expect(retentionJob(app.services).run({})).rejects.toMatchObject({
    message: expect.stringMatching(/^2 of \d+ retention rules failed$/) as string,
    errors: [{ message: 'no' }, { message: 'no' }],
  });
  expect(await sessionsOf(teacher.id)).toBe(1);
  expect(await countRows('one_time_links')).toBe(0);
});

describe('chosen periods', () => {
  const NOON = '2026-11-18T12:00:00.000Z';
  const setPeriod = (school: BuiltSchool, table: string, days: number | null, token = school.admin.token) =>
    app.call(privacyCalls.setRetentionPeriod, { params: { id: school.id }, body: { table, days }, token });
  const session = (id: string, started_at: string) => makeSession({ id, started_at });
  const OLD = 'b8a1d3a0-0000-4000-8000-00000000000';

  test('a chosen period reduces old sessions of the school to daily totals, and a late upload of them is not counted again', async () => {
    app.setTime(NOON);
    const [school, other] = [await app.build.school(), await app.build.school()];
    const store = (of: BuiltSchool, n: number, started: string) =>
      app.call(readingAppCalls.storeSessions, {
        token: of.ownClass.pupils[0]!.token,
        body: { sessions: [session(`${OLD}${n}`, started)] },
      });
    // Half a year before the run, and a moment later.
    await store(school, 1, '2026-05-18T12:00:00.000Z');
    await store(school, 2, '2026-05-18T12:00:00.001Z');
    await store(other, 3, '2026-05-18T12:00:00.000Z');
    const rows = (table: string, of: BuiltSchool) => countRows(table, sql`school_id = ${of.id}`);
    const totals = await rows('reading_days', school);

    expect((await setPeriod(school, 'reading_sessions', 180)).status).toBe(200);
    // The tests above ran later nights.
    await app.database.kysely.deleteFrom('retention_runs').execute();
    await carryOutRetention(app.services);
    expect([await rows('reading_sessions', school), await rows('reading_sessions', other)]).toEqual([1, 1]);
    expect(await rows('reading_days', school)).toBe(totals);

    const late = await store(school, 1, '2026-05-18T12:00:00.000Z');
    expect(late.reply).toMatchObject({ accepted: 0, duplicates: 0, rejected: [{ id: `${OLD}1` }] });
    expect(late.text).toContain('no longer keeps sessions of that time');
    expect((await setPeriod(school, 'reading_sessions', null)).status).toBe(200);
    expect((await store(school, 1, '2026-05-18T12:00:00.000Z')).reply.accepted).toBe(0);
    const findings = await inPlatform(app.database, checkInvariants);
    expect(findings.filter(({ breaches }) => breaches.length > 0)).toEqual([]);

    const { reply } = await app.call(privacyCalls.getDataAndPrivacy, {
      params: { id: school.id },
      token: school.admin.token,
    });
    expect(reply.last_run).toBe('2026-11-18');
    expect(reply.holdings.find(({ name }) => name === 'backups')?.kept).toMatch(/^For \d+ days/);
    expect(reply.holdings.find(({ name }) => name === 'reading-sessions')).toMatchObject({ removed: 1 });
    const foreign = await app.call(privacyCalls.getDataAndPrivacy, {
      params: { id: other.id },
      token: other.admin.token,
    });
    expect(foreign.reply.holdings.find(({ name }) => name === 'reading-sessions')).toMatchObject({ removed: 0 });
  });

  test('counts of words end with the reading sessions of their day, in that school alone', async () => {
    app.setTime(NOON);
    const [school, other] = [await app.build.school(), await app.build.school()];
    const read = (built: BuiltSchool) =>
      app.build.reading(
        built,
        built.ownClass.pupils[0]!.id,
        ['2026-05-10', '2026-11-17'].map((day) => ({
          started_at: `${day}T09:00:00Z`,
          words: [{ word: 'Pip', outcome: 'read' as const, milliseconds: 300 }],
        })),
      );
    const countedDays = async (built: BuiltSchool) =>
      (
        await app.database.kysely
          .selectFrom('word_days')
          .select('day')
          .where('school_id', '=', built.id)
          .orderBy('day')
          .execute()
      ).map(({ day }) => day);
    await read(school);
    await read(other);
    expect((await setPeriod(school, 'reading_sessions', 180)).status).toBe(200);
    await app.database.kysely.deleteFrom('retention_runs').execute();
    await carryOutRetention(app.services);
    // The counts follow at the latest in the night after the sessions.
    app.setTime('2026-11-19T12:00:00.000Z');
    await carryOutRetention(app.services);
    expect(await countedDays(school)).toEqual(['2026-11-17']);
    expect(await countedDays(other)).toEqual(['2026-05-10', '2026-11-17']);
  });

  test('a chosen period shortens the archive, and the screens state the period', async () => {
    app.setTime(NOON);
    const school = await app.build.school();
    const { token } = school.admin;
    const [ada] = school.ownClass.pupils;
    await setPeriod(school, 'pupils', 7);
    const params = { id: school.id };
    await app.call(archiveCalls.archivePupils, { params, token, body: { reader_ids: [ada!.id] } });
    const archived = async () => (await app.call(archiveCalls.listArchive, { params, token })).reply.readers;
    expect((await archived())[0]?.erased_at).toBe('2026-11-25T12:00:00.000Z');
    const { reply } = await app.call(privacyCalls.getDataAndPrivacy, { params, token });
    const pupils = reply.holdings.find(({ name }) => name === 'pupils');
    expect(pupils?.kept).toContain('7 days in the archive');
    expect(pupils?.period).toMatchObject({ days: 7, longest: '30 days' });
    app.setTime('2026-11-25T11:59:59.999Z');
    await carryOutRetention(app.services);
    expect(await archived()).toHaveLength(1);
    app.setTime('2026-11-25T12:00:00.000Z');
    await carryOutRetention(app.services);
    expect(await archived()).toEqual([]);
    const { erasures } = (await app.call(privacyCalls.listErasures, { params, token, query: {} })).reply;
    expect(erasures).toMatchObject([{ kind: 'pupil', is_automatic: true, backups_expire_on: null }]);
  });

  test('a chosen period of a year ends on the same day of the month, also after 29 February', async () => {
    app.setTime('2027-03-01T12:00:00.000Z');
    const school = await app.build.school();
    const [pupil] = school.ownClass.pupils;
    await app.build.reading(school, pupil!.id, [{ started_at: '2027-03-01T09:00:00Z' }]);
    expect((await setPeriod(school, 'reading_sessions', 365)).status).toBe(200);
    const sessions = () => countRows('reading_sessions', sql`school_id = ${school.id}`);
    app.setTime('2028-02-29T12:00:00.000Z');
    await carryOutRetention(app.services);
    expect(await sessions()).toBe(1);
    app.setTime('2028-03-01T09:00:00.000Z');
    await carryOutRetention(app.services);
    expect(await sessions()).toBe(0);
  });

  test('an admin can choose one of the offered periods, and no other', async () => {
    const school = await app.build.school();
    expect((await setPeriod(school, 'pupil_notes', 10_000)).status).toBe(422);
    expect((await setPeriod(school, 'invoices', 30)).status).toBe(422);
    expect((await setPeriod(school, 'no_such_table', 30)).status).toBe(422);
    expect((await setPeriod(school, 'pupil_notes', 365, school.teacher.token)).status).toBe(403);
    expect((await setPeriod(school, 'pupil_notes', 365)).status).toBe(200);
  });
});

test('operators see what each night removed, and which rules failed', async () => {
  setTimeAfter(0);
  const { teacher } = await app.build.school();
  await app.build.link('password_reset', teacher.id);
  await cleanUpAfter(DAY);
  const operator = await app.build.operator();
  const { reply } = await app.call(privacyCalls.listRetentionRuns, { token: operator.token, query: {} });
  const night = reply.nights.find(({ day }) => day === '2026-11-19');
  const links = night?.tables.find(({ table }) => table === 'one_time_links');
  expect(links).toMatchObject({ title: 'One-time links and unfinished logins', has_failed: false });
  expect(links?.removed).toBeGreaterThan(0);
});

test('docs/retention.md has the table of the registry: npm run retention -- --write', () => {
  const text = readFileSync(new URL('../../../../../docs/retention.md', import.meta.url), 'utf8');
  expect(replaceRetentionTable(text)).toBe(text);
});
