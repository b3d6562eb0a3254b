import { accessCalls } from '#contract/calls/access.ts';
import { secondFactorCalls as calls } from '#contract/calls/second-factor.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD } from '../../../testing/builder.ts';
import { SoftwarePasskey } from '../../../testing/software-passkey.ts';

const ORIGIN = 'https://portal.test.example';
const app = testApp({ PUBLIC_URL: ORIGIN });
const NOON = Date.parse('2026-11-18T12:00:00.000Z');
beforeEach(() => app.setTime(new Date(NOON).toISOString()));
afterEach(() => vi.restoreAllMocks());

const logIn = (email: string) => app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
const statusOf = async (token: string) => (await app.call(accessCalls.getMe, { token })).status;
const statuses = (...tokens: string[]) => Promise.all(tokens.map(statusOf));
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: NOON });
const factorsOf = async (userId: number) =>
  (await app.database.kysely.selectFrom('login_factors').select('id').where('user_id', '=', userId).execute()).length;

async function addApp(token: string) {
  const { secret } = (await app.call(calls.beginAuthenticator, { token })).reply;
  return app.call(calls.confirmAuthenticator, { token, body: { code: codeOf(secret), name: 'Phone' } });
}
/** Begins to add a passkey; the result completes it. */
async function beginPasskey(token: string) {
  const { options } = (await app.call(calls.beginPasskey, { token })).reply;
  const answer = new SoftwarePasskey(ORIGIN).create({ challenge: options.challenge, rpId: 'portal.test.example' });
  return () => app.call(calls.addPasskey, { token, body: { passkey: answer, name: 'Laptop' } });
}
const addPasskey = async (token: string) => (await beginPasskey(token))();

describe.each([
  ['an authenticator app', addApp],
  ['a passkey', addPasskey],
])('adding %s', (_, add) => {
  test('as the first factor ends the other sessions of the user, and no one else’s', async () => {
    const { teacher, admin } = await app.build.school();
    const other = (await logIn(teacher.email)).reply.meta.token;
    expect((await add(teacher.token)).status).toBe(200);
    expect(await statuses(teacher.token, other, admin.token)).toEqual([200, 401, 200]);
  });

  test('as another factor leaves the other sessions', async () => {
    const { teacher } = await app.build.school();
    const passkey = new SoftwarePasskey(ORIGIN);
    const { options } = (await app.call(calls.beginPasskey, { token: teacher.token })).reply;
    const answer = passkey.create({ challenge: options.challenge, rpId: 'portal.test.example' });
    await app.call(calls.addPasskey, { token: teacher.token, body: { passkey: answer, name: 'First' } });
    const begun = (await app.call(calls.getPasskeyLoginOptions, {})).reply.options;
    const login = { passkey: passkey.get({ challenge: begun.challenge, rpId: 'portal.test.example' }) };
    const other = (await app.call(calls.logInWithPasskey, { body: login })).reply.meta.token;
    expect((await add(teacher.token)).status).toBe(200);
    expect(await statuses(teacher.token, other)).toEqual([200, 200]);
  });
});

test('adding the first factor during a login ends the sessions that needed none, and logs in', async () => {
  const { teacher, id } = await app.build.school();
  await app.database.kysely
    .updateTable('schools')
    .set({ teachers_factor_from: '2026-11-19' })
    .where('id', '=', id)
    .execute();
  const other = (await logIn(teacher.email)).reply.meta.token;
  await app.database.kysely
    .updateTable('schools')
    .set({ teachers_factor_from: '2026-11-18' })
    .where('id', '=', id)
    .execute();
  const step = { token: (await logIn(teacher.email)).error.second_factor?.token ?? '' };
  const { secret } = (await app.call(calls.beginEnrolmentApp, { body: step })).reply;
  const wrong = await app.call(calls.enrolApp, { body: { ...step, code: '000000', name: 'Phone' } });
  expect(wrong.error.code).toBe('second_factor_failed');
  const { status, reply } = await app.call(calls.enrolApp, {
    body: { ...step, code: codeOf(secret), name: 'Phone' },
  });
  expect([status, reply.recovery_codes.length]).toEqual([200, 10]);
  expect(await statuses(reply.meta.token, other, teacher.token)).toEqual([200, 401, 401]);
});

test('adding the first factor ends another login that has begun to add one', async () => {
  const { teacher, id } = await app.build.school();
  await app.database.kysely
    .updateTable('schools')
    .set({ teachers_factor_from: '2026-11-18' })
    .where('id', '=', id)
    .execute();
  const [first, second] = [await logIn(teacher.email), await logIn(teacher.email)].map(({ error }) => ({
    token: error.second_factor?.token ?? '',
  }));
  const { secret } = (await app.call(calls.beginEnrolmentApp, { body: first! })).reply;
  const enrol = (step: { token: string }) =>
    app.call(calls.enrolApp, { body: { ...step, code: codeOf(secret), name: 'Phone' } });
  const answers = await Promise.all([enrol(first!), enrol(second!)]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await factorsOf(teacher.id)).toBe(1);
  for (const body of [first!, second!])
    expect((await app.call(calls.beginEnrolmentApp, { body })).error.code).toBe('login_attempt_expired');
});

test('two sessions that add a first factor at once add one, and the other session has ended', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { teacher } = await app.build.school();
    const other = (await logIn(teacher.email)).reply.meta.token;
    const additions = [await beginPasskey(teacher.token), await beginPasskey(other)];
    const answers = await Promise.all(additions.map((add) => add()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => [401, 409].includes(status))).toHaveLength(1);
    expect(await factorsOf(teacher.id)).toBe(1);
    expect((await statuses(teacher.token, other)).sort()).toEqual([200, 401]);
  }
});

test('a teacher who was removed from the school meanwhile adds no factor', async () => {
  const school = await app.build.school();
  const add = await beginPasskey(school.teacher.token);
  const params = { id: school.id, userId: school.teacher.id };
  expect((await app.call(teacherCalls.removeTeacher, { token: school.admin.token, params })).status).toBe(200);
  expect((await add()).status).toBe(401);
  expect(await factorsOf(school.teacher.id)).toBe(0);
});

// The embedded database does nothing else during a transaction.
if (inject('template').kind === 'server')
  test('a login whose password was checked before the first factor was added starts no session', async () => {
    const { teacher } = await app.build.school();
    const { query } = pg.Client.prototype;
    let added: Promise<number> | undefined;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function watched(
      this: pg.Client,
      ...args: unknown[]
    ) {
      const answer: unknown = await Reflect.apply(query, this, args);
      const { text } = (args[0] ?? {}) as { text?: string };
      if (added || !text?.includes('"login_factors"')) return answer;
      // The login has read that there is no factor.
      added = Promise.resolve(0);
      added = addPasskey(teacher.token).then(({ status }) => status);
      await added;
      return answer;
    });
    const { status, error } = await logIn(teacher.email);
    expect(await added).toBe(200);
    const text = 'Your account was changed while you logged in. Log in again.';
    expect([status, error.error]).toEqual([409, text]);
  });
