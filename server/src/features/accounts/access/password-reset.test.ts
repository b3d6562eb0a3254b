import { accessCalls } from '#contract/calls/access.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD } from '../../../testing/builder.ts';

const app = testApp({ PUBLIC_URL: 'https://portal.test.example/' });
const hiding = testApp({ HIDE_ACCOUNTS: 'on' });
const NEW = 'kite harbour 7';

beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  await app.runJobs();
  app.mails.length = 0;
  hiding.mails.length = 0;
});

const ask = (email: string, headers = {}) =>
  app.call(passwordCalls.requestPasswordReset, { body: { email, isSchool: true }, headers });
const verify = async (token: string) => (await app.call(passwordCalls.verifyPasswordReset, { body: { token } })).status;
const update = (token: string, password = NEW) => app.call(passwordCalls.resetPassword, { body: { token, password } });
const loginStatus = async (email: string, password: string) =>
  (await app.call(accessCalls.logIn, { body: { email, password } })).status;

async function mailedToken(email: string): Promise<string> {
  expect((await ask(email)).status).toBe(200);
  await app.runJobs();
  return /reset\?token=([\w-]+)/.exec(app.mails.at(-1)?.text ?? '')?.[1] ?? '';
}

describe('a forgotten password', () => {
  test('a forgotten password is replaced through a mailed link, once, and all sessions end', async () => {
    const school = await app.build.school();
    const { admin } = school;
    const token = await mailedToken(admin.email);
    expect(app.mails).toMatchObject([{ recipient: admin.email, subject: 'Choose a new password for Storylark' }]);
    expect(app.mails[0]?.html).toContain(`https://portal.test.example/password/reset?token=${token}`);

    expect([await verify(token), await verify(token)]).toEqual([200, 200]);
    expect(await loginStatus(admin.email, PASSWORD)).toBe(200);
    expect((await update(token)).status).toBe(200);
    expect((await app.call(accessCalls.getMe, { token: admin.token })).status).toBe(401);
    expect([await loginStatus(admin.email, PASSWORD), await loginStatus(admin.email, NEW)]).toEqual([401, 200]);

    expect(await verify(token)).toBe(404);
    expect(await update(token)).toMatchObject({
      status: 404,
      error: { error_type: 'not_found', code: 'token_expired' },
    });
    const audit = await app.database.kysely
      .selectFrom('audit_log')
      .select(['action', 'actor_user_id'])
      .where('school_id', '=', school.id)
      .where('action', '!=', 'logged_in')
      .execute();
    expect(audit).toEqual([{ action: 'password_reset', actor_user_id: admin.id }]);
  });

  test('a reset accepts the address in any case, and mails the stored one', async () => {
    const { teacher } = await app.build.school();
    await mailedToken(` ${teacher.email.toUpperCase()} `);
    expect(app.mails.map(({ recipient }) => recipient)).toEqual([teacher.email]);
  });

  test('asking for a new password with an unknown address says so', async () => {
    expect(await ask('nobody@test.example')).toMatchObject({
      status: 404,
      error: { error: 'User not found', code: 'user_not_found' },
    });
    expect(await app.runJobs()).toBe(0);
  });

  test.each([
    [{ email: ['a@test.example', 'b@test.example'] }],
    [{ email: { a: 1 } }],
    [{}],
    [{ email: 'te\u0430cher@test.example' }],
    ['"text"'],
    ['[]'],
  ])('requested with %j is rejected', async (payload) => {
    expect((await app.ask('POST', '/users/resetpassword', { payload })).status).toBe(422);
  });

  test('a reset link never takes its host from the request', async () => {
    const { teacher } = await app.build.school();
    await ask(teacher.email, {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      origin: 'https://evil.example',
    });
    await app.runJobs();
    expect(app.mails).toHaveLength(1);
    expect(JSON.stringify(app.mails)).not.toContain('evil.example');
  });

  test('at most five reset mails an hour are sent to an address', async () => {
    const { teacher } = await app.build.school();
    const answers = [];
    for (let time = 0; time < 6; time += 1) answers.push((await ask(teacher.email)).status);
    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('a link to a new password', () => {
  test('a reset link succeeds for one of fifty simultaneous uses', async () => {
    const { teacher } = await app.build.school();
    const token = await mailedToken(teacher.email);
    const passwords = Array.from({ length: 50 }, (_, index) => `kite harbour ${index}`);
    const uses = await Promise.all(passwords.map((password) => update(token, password)));
    const good = uses.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(good).toHaveLength(1);
    expect(new Set(uses.map(({ status }) => status))).toEqual(new Set([200, 404]));
    expect(await loginStatus(teacher.email, passwords[good[0] ?? -1] ?? '')).toBe(200);
  });

  test('a reset link is valid for 60 minutes', async () => {
    const { teacher } = await app.build.school();
    const token = await mailedToken(teacher.email);
    app.setTime('2026-11-18T12:59:59.000Z');
    expect(await verify(token)).toBe(200);
    app.setTime('2026-11-18T13:00:00.000Z');
    expect([await verify(token), (await update(token)).status]).toEqual([404, 404]);
  });

  test('a reset link becomes invalid when another one is used', async () => {
    const { teacher } = await app.build.school();
    const [first, second] = [await mailedToken(teacher.email), await mailedToken(teacher.email)];
    expect(await verify(first)).toBe(200);
    expect((await update(second)).status).toBe(200);
    expect(await verify(first)).toBe(404);
  });

  test('a reset link is not used up by a password that is rejected', async () => {
    const { teacher } = await app.build.school();
    const token = await mailedToken(teacher.email);
    for (const password of ['short', 'password1', teacher.email])
      expect((await update(token, password)).status).toBe(422);
    expect((await update(token)).status).toBe(200);
  });

  test('a reset link is not used up by a GET, because scanners open every link in a mail', async () => {
    const { teacher } = await app.build.school();
    const token = await mailedToken(teacher.email);
    for (const url of [
      `/password/reset?token=${token}`,
      `/v1/users/password/update?token=${token}`,
      `/v1/users/password/verify?token=${token}`,
    ])
      await app.fastify.inject({ method: 'GET', url });
    expect((await update(token)).status).toBe(200);
  });

  test.each([['unknown'], [''], ['x'.repeat(300)], [['a']], [{ a: 1 }], [null], [7]])(
    '%j is not a valid link',
    async (token) => {
      const { status } = await app.ask('POST', '/users/password/update', { payload: { token, password: NEW } });
      expect([404, 422]).toContain(status);
    },
  );

  test('a link of another kind sets no password', async () => {
    const { teacher } = await app.build.school();
    expect((await update(await app.build.link('set_up', teacher.id))).status).toBe(404);
  });

  test('a reset link is only stored as a hash', async () => {
    const { teacher } = await app.build.school();
    const token = await mailedToken(teacher.email);
    const { rows } = await sql<{ all: string }>`select string_agg(t::text, '|') as all from one_time_links t`.execute(
      app.database.kysely,
    );
    expect(rows[0]?.all).not.toContain(token);
  });

  test('a reset link lets the owner in after others’ failed logins', async () => {
    const { teacher } = await app.build.school();
    for (let time = 0; time < 11; time += 1) await loginStatus(teacher.email, `guess number ${time}`);
    expect(await loginStatus(teacher.email, PASSWORD)).toBe(429);
    await update(await mailedToken(teacher.email));
    expect(await loginStatus(teacher.email, NEW)).toBe(200);
  });
});

describe('with HIDE_ACCOUNTS', () => {
  test('with hidden accounts, known and unknown addresses get the same reply, and only the known one a mail', async () => {
    const { teacher } = await hiding.build.school();
    const answers = [];
    for (const email of [teacher.email, 'nobody@test.example']) {
      const { status, reply, headers } = await hiding.call(passwordCalls.requestPasswordReset, { body: { email } });
      answers.push({ status, reply, length: headers['content-length'] });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.status).toBe(200);
    await hiding.runJobs();
    expect(hiding.mails.map(({ recipient }) => recipient)).toEqual([teacher.email]);
  });
});
