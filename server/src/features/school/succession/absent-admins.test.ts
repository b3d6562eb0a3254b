import { accessCalls } from '#contract/calls/access.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { absentAdminsJob } from './succession.jobs.ts';

const app = testApp();
const DAY = 86_400_000;
const START = Date.parse('2026-11-18T12:00:00.000Z');

let time = START;
let school: BuiltSchool;
/** Moves the clock. The teacher stays logged in, the admin does not. */
const later = async (days: number) => {
  time += days * DAY;
  app.setTime(new Date(time).toISOString());
  await sql`update sessions set last_used_at = ${new Date(time)}, expires_at = ${new Date(time + DAY)}
    where user_id <> ${school.admin.id}`.execute(app.database.kysely);
};
beforeEach(async () => {
  time = START;
  app.setTime(new Date(time).toISOString());
  school = await app.build.school();
  await app.runJobs();
  app.mails.length = 0;
});

const logIn = () => app.call(accessCalls.logIn, { body: { email: school.admin.email, password: PASSWORD } });
const state = async () =>
  (
    await app.call(schoolCalls.getSchool, {
      token: school.teacher.token,
      params: { id: school.id },
      query: {},
    })
  ).reply.enterprise.second_admin;
const runJob = async () => {
  await absentAdminsJob(app.services).run({});
  await app.runJobs();
  return app.mails
    .splice(0)
    .filter(({ kind, recipient }) => kind === 'second_admin' && recipient === school.admin.email).length;
};

test('a school with one admin needs a second one from 30 days after its registration', async () => {
  await later(29);
  expect(await state()).toBeNull();
  await later(1);
  expect(await state()).toBe('due');
  await app.build.staff(school, 'admin');
  expect(await state()).toBeNull();
});

test('an only admin gets one email for an absence of 60 days, and another one for the next absence', async () => {
  await later(59);
  expect(await runJob()).toBe(0);
  await later(1);
  expect(await runJob()).toBe(1);
  expect(await state()).toBe('away');
  await later(1);
  expect(await runJob()).toBe(0);
  await logIn();
  expect(await runJob()).toBe(0);
  expect(await state()).toBe('due');
  await later(60);
  await sql`delete from sessions where user_id = ${school.admin.id}`.execute(app.database.kysely);
  expect(await runJob()).toBe(1);
});

test('an absence whose logins are past their period sends no second email', async () => {
  await later(10);
  await logIn();
  await sql`delete from sessions where user_id = ${school.admin.id}`.execute(app.database.kysely);
  await later(60);
  expect(await runJob()).toBe(1);
  await sql`delete from login_events where school_id = ${school.id}`.execute(app.database.kysely);
  expect(await runJob()).toBe(0);
});

test.each(['two admins', 'a session in use', 'an expired subscription'])(
  'a school with %s gets no email about an absent admin',
  async (what) => {
    if (what === 'two admins') await app.build.staff(school, 'admin');
    if (what === 'an expired subscription')
      await sql`update subscriptions set expires_at = ${new Date(time + DAY)} where school_id = ${school.id}`.execute(
        app.database.kysely,
      );
    await later(60);
    if (what === 'a session in use')
      await sql`update sessions set last_used_at = ${new Date(time)} where user_id = ${school.admin.id}`.execute(
        app.database.kysely,
      );
    expect(await runJob()).toBe(0);
    expect(await state()).not.toBe('away');
  },
);

test('a new only admin is not away', async () => {
  await later(60);
  expect(await runJob()).toBe(1);
  await sql`update staff set role = 'teacher' where school_id = ${school.id} and user_id = ${school.admin.id}`.execute(
    app.database.kysely,
  );
  await app.build.staff(school, 'admin');
  await runJob();
  expect(await state()).toBe('due');
});

test('logins of teachers do not hide that the only admin is away', async () => {
  await later(60);
  await app.call(accessCalls.logIn, { body: { email: school.teacher.email, password: PASSWORD } });
  expect(await runJob()).toBe(1);
});

test('an admin whose address is not confirmed gets no email, and counts as away', async () => {
  await app.database.kysely
    .updateTable('users')
    .set({ email_confirmed_at: null })
    .where('id', '=', school.admin.id)
    .execute();
  await later(60);
  expect(await runJob()).toBe(0);
  expect(await state()).toBe('away');
});

test('a school that fails stops no other one, and the job reports it', async () => {
  await later(60);
  await runJob();
  school = await app.build.school();
  const other = await app.build.school();
  await later(60);
  await sql`delete from sessions where user_id = ${other.admin.id}`.execute(app.database.kysely);
  let isFirst = true;
  const config = {
    ...app.services.config,
    get productName() {
      if (!isFirst) return app.services.config.productName;
      isFirst = false;
      throw new Error('No product');
    },
  };
  await expect(absentAdminsJob({ ...app.services, config }).run({})).rejects.toThrow('1 schools could not be checked');
  const away = await app.database.kysely
    .selectFrom('schools')
    .select('id')
    .where('id', 'in', [school.id, other.id])
    .where('admin_away_since', 'is not', null)
    .execute();
  expect(away).toEqual([{ id: other.id }]);
});

test('an absence found in half-term brings the email in the next school week', async () => {
  await sql`update sessions set last_used_at = ${new Date(START)} where user_id = ${school.admin.id}`.execute(
    app.database.kysely,
  );
  await later(90);
  expect(await runJob()).toBe(0);
  expect(await state()).not.toBe('away');
  await later(7);
  expect(await runJob()).toBe(1);
});

test.each([
  [59, 0],
  [60, 1],
])('an admin whose session was last used %i days ago gets %i emails', async (days, count) => {
  await later(97);
  await sql`update sessions set last_used_at = ${new Date(time - days * DAY)} where user_id = ${school.admin.id}`.execute(
    app.database.kysely,
  );
  expect(await runJob()).toBe(count);
});

test('an admin who has never used the school is away 60 days after they joined, also if they have joined again', async () => {
  await sql`delete from sessions where user_id = ${school.admin.id}`.execute(app.database.kysely);
  const joined = (daysAgo: number) =>
    app.database.kysely
      .updateTable('staff')
      .set({ joined_at: new Date(time - daysAgo * DAY) })
      .where('school_id', '=', school.id)
      .where('user_id', '=', school.admin.id)
      .execute();
  await later(97);
  await joined(59);
  expect(await runJob()).toBe(0);
  await joined(60);
  expect(await runJob()).toBe(1);
  await app.database.kysely
    .insertInto('login_events')
    .values({ school_id: school.id, user_id: school.admin.id, at: new Date(time - 80 * DAY), method: 'password' })
    .execute();
  await joined(10);
  expect(await runJob()).toBe(0);
  expect(await state()).toBe('due');
});
