import { accessCalls } from '#contract/calls/access.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { readInSchool } from '../database/school.ts';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../testing/builder.ts';

const app = testApp();
const NOW = '2026-11-18T12:00:00.000Z';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';
let school: BuiltSchool;
beforeEach(async () => {
  app.setTime(NOW);
  school = await app.build.school();
});

const logIn = ({ email }: { email: string }, password = PASSWORD) =>
  app.call(accessCalls.logIn, { body: { email, password }, headers: { 'user-agent': FIREFOX } });
const logInPupil = ({ username }: { username: string }, password = PASSWORD) =>
  app.call(readingAppCalls.logInPupil, { body: { username, password } });

/** The events that a school sees, without their numbers. */
const listEvents = (schoolId = school.id) =>
  readInSchool(app.database, schoolId, ({ tx }) =>
    tx
      .selectFrom('login_events')
      .select(['school_id', 'user_id', 'pupil_id', 'at', 'method', 'browser', 'system'])
      .orderBy('id')
      .execute(),
  );
const countAll = async () => (await app.database.kysely.selectFrom('login_events').select('id').execute()).length;

describe('recording logins', () => {
  test('a login of staff is recorded with the device in their school alone, and a failed one is not', async () => {
    const otherSchool = await app.build.school();
    expect((await logIn(school.teacher, 'a wrong secret')).status).toBe(401);
    expect(await listEvents()).toEqual([]);
    expect((await logIn(school.teacher)).status).toBe(200);
    const event = { user_id: school.teacher.id, pupil_id: null, browser: 'Firefox', system: 'Windows' };
    expect(await listEvents()).toEqual([{ ...event, school_id: school.id, at: new Date(NOW), method: 'password' }]);
    expect(await listEvents(otherSchool.id)).toEqual([]);
  });

  test('a login of a pupil is recorded without a device, and a failed one is not', async () => {
    const pupil = school.unplaced;
    expect((await logInPupil(pupil, 'wrong')).status).toBe(401);
    expect(await listEvents()).toEqual([]);
    expect((await logInPupil(pupil)).status).toBe(200);
    const event = { user_id: null, pupil_id: pupil.id, browser: null, system: null };
    expect(await listEvents()).toEqual([
      { ...event, school_id: school.id, at: new Date(NOW), method: 'pupil_password' },
    ]);
  });

  test('the login of a new member of staff through their set-up link is recorded', async () => {
    const token = await app.build.link('set_up', school.teacher.id);
    expect((await app.call(passwordCalls.exchangeSetUpLink, { body: { token } })).status).toBe(200);
    expect(await listEvents()).toMatchObject([{ user_id: school.teacher.id, method: 'set_up_link' }]);
  });

  test('no login of a user without a school or of support is recorded', async () => {
    const before = await countAll();
    expect((await logIn(await app.build.person('standard'))).status).toBe(200);
    const { token } = await app.build.operator();
    const body = { user_id: school.admin.id, reason: 'Ticket 4711: a class is missing' };
    const { code } = (await app.call(operatorCalls.mintImpersonation, { token, body })).reply;
    expect((await app.call(operatorCalls.impersonate, { body: { code } })).status).toBe(200);
    expect(await countAll()).toBe(before);
  });

  test('a login that cannot be recorded starts no session', async () => {
    const raw = (text: string) => sql.raw(text).execute(app.database.kysely);
    await raw(`create function fail_events() returns trigger language plpgsql as 'begin raise exception ''no''; end'`);
    await raw('create trigger fail_events before insert on login_events execute function fail_events()');
    const sessions = async () => (await app.database.kysely.selectFrom('sessions').select('user_id').execute()).length;
    const before = await sessions();
    const statuses = [(await logIn(school.teacher)).status, (await logInPupil(school.unplaced)).status];
    await raw('drop function fail_events() cascade');
    expect(statuses).toEqual([500, 500]);
    expect(await sessions()).toBe(before);
  });
});

describe('recorded logins', () => {
  test('the record of a login is deleted after 12 months', async () => {
    await logIn(school.teacher);
    await logInPupil(school.unplaced);
    app.setTime('2027-11-18T11:00:00.000Z');
    await app.runJobs({ scheduled: true });
    expect(await listEvents()).toHaveLength(2);
    app.setTime('2027-11-18T13:00:00.000Z');
    await app.runJobs({ scheduled: true });
    expect(await listEvents()).toEqual([]);
  });

  test('the record of a login is erased with the person, and remains when a member of staff only leaves', async () => {
    const pupil = school.unplaced;
    const at = { token: school.admin.token, params: { id: school.id } };
    for (const person of [school.teacher, school.admin]) await logIn(person);
    for (const child of [pupil, school.ownClass.pupils[0]!]) await logInPupil(child);
    await app.call(archiveCalls.archivePupils, { ...at, body: { reader_ids: [pupil.id] } });
    const leaver = { ...at, params: { id: school.id, userId: school.teacher.id } };
    await app.call(teacherCalls.removeTeacher, leaver);
    expect(await listEvents()).toHaveLength(4);
    const archived = { ...at, params: { id: school.id, readerId: pupil.id } };
    expect((await app.call(archiveCalls.erasePupil, archived)).status).toBe(200);
    expect((await app.call(privacyCalls.eraseFormerMember, leaver)).status).toBe(200);
    expect(await listEvents()).toMatchObject([
      { user_id: school.admin.id },
      { pupil_id: school.ownClass.pupils[0]!.id },
    ]);
  });
});
