import { createHash } from 'node:crypto';
import { accessCalls } from '#contract/calls/access.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD } from '../../../testing/builder.ts';

const app = testApp();
const START = Date.parse('2026-11-18T12:00:00.000Z');
const DAY = 86_400_000;
const after = (milliseconds: number) => app.setTime(new Date(START + milliseconds).toISOString());

beforeEach(() => after(0));

const tryLogin = (email: string, password: string) => app.call(accessCalls.logIn, { body: { email, password } });
const statusOf = async (token: string) => (await app.call(accessCalls.getMe, { token })).status;

/** The content of a table as one text, in which a secret can be searched for: bytes as hex and base64. */
async function textOf(table: string): Promise<string> {
  const { rows } = await sql<{
    all: string;
  }>`select coalesce(string_agg(t::text, '|'), '') as all from ${sql.table(table)} t`.execute(app.database.kysely);
  return String(rows[0]?.all);
}

describe('login', () => {
  test('a login returns the user and a token that authorises their calls', async () => {
    const { admin, id, name } = await app.build.school();
    const { status, reply } = await tryLogin(admin.email, PASSWORD);
    expect(status).toBe(200);
    expect(reply.user).toMatchObject({
      id: admin.id,
      email: admin.email,
      enterprise: { id, name },
      enterprise_user_role: 'admin',
    });
    expect(reply.meta.token).toMatch(/^[\w-]{22,}$/);
    const me = await app.call(accessCalls.getMe, { token: reply.meta.token });
    expect(me.reply.user).toEqual(reply.user);
  });

  test('a login accepts the address in any case, with spaces around it', async () => {
    const { admin } = await app.build.school();
    expect((await tryLogin(`  ${admin.email.toUpperCase()} `, PASSWORD)).status).toBe(200);
  });

  test('each login gets its own token', async () => {
    const { admin } = await app.build.school();
    const tokens = await Promise.all(
      [1, 2, 3].map(async () => (await tryLogin(admin.email, PASSWORD)).reply.meta.token),
    );
    expect(new Set(tokens).size).toBe(3);
  });

  test('a login answers alike for a wrong password and an unknown address, and not as for an expired session', async () => {
    const { admin } = await app.build.school();
    const wrong = await tryLogin(admin.email, 'reading-2');
    const unknown = await tryLogin('nobody@test.example', PASSWORD);
    expect(wrong.status).toBe(401);
    expect(wrong.error.error_type).toBe('authentication');
    expect(wrong.error.error).toBe('Login failed');
    expect({ status: unknown.status, error: unknown.error }).toEqual({ status: wrong.status, error: wrong.error });
  });

  test('a login rejects the stored hash, and a password that differs in case or spaces', async () => {
    const { admin } = await app.build.school();
    const { rows } = await sql<{
      password_hash: string;
    }>`select password_hash from users where id = ${admin.id}`.execute(app.database.kysely);
    for (const password of [PASSWORD.toUpperCase(), ` ${PASSWORD}`, `${PASSWORD} `, String(rows[0]?.password_hash)])
      expect((await tryLogin(admin.email, password)).status).toBe(401);
  });

  test.each([
    [{ email: 'not an address', password: 'x' }, ['email']],
    [{ email: 'a@test.example', password: '' }, ['password']],
    [{ email: 'a@test.example' }, ['password']],
    [{ email: 7, password: null }, ['email', 'password']],
    [{}, ['email', 'password']],
    [{ email: 'a@test.example', password: 'x'.repeat(201) }, ['password']],
  ])('%j is 422 and says which field', async (payload, fields) => {
    const { status, error } = await app.ask('POST', '/auth', { payload });
    expect(status).toBe(422);
    expect(Object.keys(error.errors ?? {}).sort()).toEqual(fields);
  });
});

describe('what is stored', () => {
  test('the database has a hash of a session’s token and never the token', async () => {
    const { admin } = await app.build.school();
    const { token } = (await tryLogin(admin.email, PASSWORD)).reply.meta;
    const stored = await textOf('sessions');
    expect(stored).toContain(createHash('sha256').update(token).digest('hex'));
    for (const form of [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex')])
      expect(stored).not.toContain(form);
  });

  test('the database has a salted Argon2id hash of a password', async () => {
    const { admin, teacher } = await app.build.school();
    const { rows } = await sql<{
      password_hash: string;
    }>`select password_hash from users where id in (${admin.id}, ${teacher.id})`.execute(app.database.kysely);
    for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$argon2id\$/);
    expect(await textOf('users')).not.toContain(PASSWORD);
  });

  test('counted login attempts name no account', async () => {
    await tryLogin('someone.particular@test.example', 'wrong password');
    expect(await textOf('rate_limits')).not.toContain('particular');
  });
});

describe('a session', () => {
  test('a session ends at logout, without ending other sessions', async () => {
    const { admin } = await app.build.school();
    const { token } = (await tryLogin(admin.email, PASSWORD)).reply.meta;
    expect((await app.call(accessCalls.logOut, { token })).status).toBe(200);
    const ended = await app.call(accessCalls.getMe, { token });
    expect({ status: ended.status, error: ended.error.error }).toEqual({ status: 401, error: 'Unauthorised' });
    expect(await statusOf(admin.token)).toBe(200);
  });

  test('a session ends when it has not been used for 30 days', async () => {
    const { admin } = await app.build.school();
    after(30 * DAY - 1000);
    expect(await statusOf(admin.token)).toBe(200);
    after(60 * DAY - 2000);
    expect(await statusOf(admin.token)).toBe(200);
    after(90 * DAY - 2000);
    expect(await statusOf(admin.token)).toBe(401);
  });

  test('a session ends after exactly 30 unused days', async () => {
    const { admin } = await app.build.school();
    after(30 * DAY);
    expect(await statusOf(admin.token)).toBe(401);
  });

  test('a session ends after 90 days however much it is used', async () => {
    const { admin } = await app.build.school();
    for (let day = 20; day < 90; day += 20) {
      after(day * DAY);
      expect(await statusOf(admin.token)).toBe(200);
    }
    after(90 * DAY - 1);
    expect(await statusOf(admin.token)).toBe(200);
    after(90 * DAY);
    expect(await statusOf(admin.token)).toBe(401);
  });

  test.each([
    ['no scheme', (token: string) => token],
    ['another scheme', (token: string) => `Basic ${token}`],
    ['nothing behind the scheme', () => 'Bearer '],
    ['a token that is cut', (token: string) => `Bearer ${token.slice(0, -1)}`],
    ['a token with more behind it', (token: string) => `Bearer ${token}x`],
  ])('is not opened by %s', async (_, header) => {
    const { admin } = await app.build.school();
    expect((await app.call(accessCalls.getMe, { headers: { authorization: header(admin.token) } })).status).toBe(401);
  });

  test('a bearer token is accepted whatever the case of the scheme', async () => {
    const { admin } = await app.build.school();
    expect((await app.call(accessCalls.getMe, { headers: { authorization: `bearer ${admin.token}` } })).status).toBe(
      200,
    );
  });
});

describe('attempts', () => {
  test('login attempts are limited to 10 per account, then 429 with Retry-After even for the right password', async () => {
    const { admin, teacher } = await app.build.school();
    for (let n = 0; n < 10; n += 1)
      expect((await tryLogin(n % 2 ? admin.email : admin.email.toUpperCase(), 'wrong password')).status).toBe(401);
    after(100_000);
    const rejected = await tryLogin(admin.email, PASSWORD);
    expect({ status: rejected.status, type: rejected.error.error_type }).toEqual({ status: 429, type: 'rate_limit' });
    expect(rejected.headers['retry-after']).toBe('200');
    expect((await tryLogin(teacher.email, PASSWORD)).status).toBe(200);
    after(299_000);
    expect((await tryLogin(admin.email, PASSWORD)).status).toBe(429);
    after(300_000);
    expect((await tryLogin(admin.email, PASSWORD)).status).toBe(200);
  });

  test('login attempts are also counted for an address without an account', async () => {
    for (let n = 0; n < 10; n += 1) await tryLogin('nobody-at-all@test.example', 'wrong password');
    expect((await tryLogin('nobody-at-all@test.example', 'wrong password')).status).toBe(429);
  });

  test('a successful login resets the counted attempts', async () => {
    const { admin } = await app.build.school();
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 9; n += 1) expect((await tryLogin(admin.email, 'wrong password')).status).toBe(401);
      expect((await tryLogin(admin.email, PASSWORD)).status).toBe(200);
    }
  });

  test('login attempts that arrive at the same time are all counted', async () => {
    const { admin } = await app.build.school();
    const answers = await Promise.all(Array.from({ length: 14 }, () => tryLogin(admin.email, 'wrong password')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });
});

describe('getMe', () => {
  test('GET /users/me returns the fields of a member of staff', async () => {
    const { id, name, teacher } = await app.build.school();
    const { reply } = await app.call(accessCalls.getMe, { token: teacher.token });
    expect(reply).toEqual({
      user: {
        id: teacher.id,
        first_name: 'Morgan',
        last_name: 'Teacher',
        full_name: 'Morgan Teacher',
        email: teacher.email,
        user_type: 'enterprise',
        enterprise_id: id,
        enterprise: { id, name, terms_accepted_at: '2026-11-18T12:00:00.000Z' },
        enterprise_user_role: 'teacher',
        role: 'teacher',
        covers: [],
        memberships: [{ enterprise: { id, name }, enterprise_user_role: 'teacher', role: 'teacher' }],
        require_password_reset: false,
        email_confirmation_due_at: null,
        require_email_confirmation: false,
        require_provider: false,
        pending_email: null,
        pending_email_due_at: null,
        weekly_school_digest_optin_at: null,
        readers: [],
        impersonated_by: null,
        is_operator: false,
        second_factor_due_on: null,
      },
    });
  });

  test('GET /users/me returns the profiles of a user without a school', async () => {
    const { id, token } = await app.build.person('standard');
    await app.database.kysely.insertInto('own_readers').values({ user_id: id, name: 'Robin', type: 'child' }).execute();
    const { reply } = await app.call(accessCalls.getMe, { token });
    expect(reply.user).toMatchObject({
      user_type: 'standard',
      enterprise_id: null,
      enterprise: null,
      enterprise_user_role: null,
    });
    expect(reply.user.readers).toEqual([{ id: expect.any(Number), name: 'Robin', type: 'child' }]);
  });

  test('GET /users/me returns the current role and school of the user', async () => {
    const school = await app.build.school();
    await app.database.kysely
      .updateTable('staff')
      .set({ role: 'admin' })
      .where('user_id', '=', school.teacher.id)
      .execute();
    expect((await app.call(accessCalls.getMe, { token: school.teacher.token })).reply.user.enterprise_user_role).toBe(
      'admin',
    );
    await app.database.kysely
      .updateTable('classes')
      .set({ manager_id: null })
      .where('school_id', '=', school.id)
      .execute();
    await app.database.kysely.deleteFrom('staff').where('user_id', '=', school.teacher.id).execute();
    expect(
      (await app.call(accessCalls.getMe, { token: school.teacher.token })).reply.user.enterprise_user_role,
    ).toBeNull();
    expect((await app.ask('GET', `/enterprises/${school.id}`, { token: school.teacher.token })).status).toBe(403);
  });
});
