import { accessCalls } from '#contract/calls/access.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { expect, describe, test } from 'vitest';
import { inPlatform } from '../../../database/platform.ts';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD } from '../../../testing/builder.ts';
import { makeSetUpLink } from './accounts.service.ts';

const app = testApp();
const NEW = 'kite harbour 7';
let counter = 0;
const newEmail = () => `new-${(counter += 1)}@test.example`;
const body = (more: object = {}) => ({
  first_name: 'Ada',
  last_name: 'Baker',
  email: newEmail(),
  password: NEW,
  user_type: 'enterprise' as const,
  ...more,
});
const statusOf = async (token: string) => (await app.call(accessCalls.getMe, { token })).status;
const loginStatus = async (email: string, password: string) =>
  (await app.call(accessCalls.logIn, { body: { email, password } })).status;
const flagged = async () => {
  const school = await app.build.school();
  await app.database.kysely
    .updateTable('users')
    .set({ require_password_reset: true })
    .where('id', '=', school.teacher.id)
    .execute();
  return school.teacher;
};
const auditOf = (schoolId: number) =>
  app.database.kysely
    .selectFrom('audit_log')
    .select(['action', 'actor_user_id', 'details'])
    .where('school_id', '=', schoolId)
    .orderBy('id')
    .execute();

describe('registration', () => {
  test('a registration returns the user and a valid token', async () => {
    const given = body({ user_type: 'standard' });
    const { status, reply } = await app.call(accessCalls.register, { body: given });
    expect(status).toBe(200);
    expect(reply.user).toMatchObject({
      full_name: 'Ada Baker',
      email: given.email,
      user_type: 'standard',
      enterprise: null,
      impersonated_by: null,
    });
    expect(await statusOf(reply.meta.token)).toBe(200);
    expect(await loginStatus(given.email, NEW)).toBe(200);
  });

  test('a registration with an address that is taken is rejected, whatever its case and spaces', async () => {
    const given = body();
    expect((await app.call(accessCalls.register, { body: given })).status).toBe(200);
    for (const email of [given.email, given.email.toUpperCase(), `  ${given.email} `]) {
      const { status, error } = await app.call(accessCalls.register, { body: { ...given, email } });
      expect({ status, error }).toEqual({
        status: 400,
        error: {
          error: 'Duplicate email',
          error_type: 'bad_request',
          code: 'duplicate_email',
          errors: { email: ['Duplicate email'] },
        },
      });
    }
  });

  test('many simultaneous registrations of an address create one account', async () => {
    const given = body();
    const answers = await Promise.all(Array.from({ length: 8 }, () => app.call(accessCalls.register, { body: given })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
  });

  test.each([
    ['a look-alike letter of another alphabet', { email: 'te\u0430cher@test.example' }, 'email'],
    ['full-width letters', { email: '\uff54eacher@test.example' }, 'email'],
    ['a line break', { email: 'a@test.example\nBcc: b@test.example' }, 'email'],
    ['a list where an address is expected', { email: ['a@test.example', 'b@test.example'] }, 'email'],
    ['an object where an address is expected', { email: { $ne: null } }, 'email'],
    ['no address', { email: '' }, 'email'],
    ['a short password', { password: 'sixsix' }, 'password'],
    ['a number as password', { password: 1234567 }, 'password'],
    ['a common password', { password: 'Password1' }, 'password'],
    ['a common password with spaces around it', { password: ' qwertyuiop ' }, 'password'],
    ['a common password in full-width letters', { password: 'ｌｅｔｍｅｉｎ１２３' }, 'password'],
    ['a first name of one letter', { first_name: 'A' }, 'first_name'],
    ['a last name of spaces', { last_name: '     ' }, 'last_name'],
    ['a name with a web address in it', { first_name: 'See www.prizes.example' }, 'first_name'],
    ['a name of two lines', { first_name: 'Ada\r\nBaker' }, 'first_name'],
    ['another type', { user_type: 'operator' }, 'user_type'],
  ])('rejects %s', async (_, more, field) => {
    const { status, error } = await app.ask('POST', '/users', { payload: body(more) });
    expect(status).toBe(422);
    expect(Object.keys(error.errors ?? {})).toEqual([field]);
  });

  test("rejects the user's own address as password", async () => {
    const email = 'a.long.name@test.example';
    for (const password of [email.toUpperCase(), 'a.long.name'])
      expect((await app.call(accessCalls.register, { body: body({ email, password }) })).status).toBe(422);
  });

  test('a registration grants no rights through unknown fields', async () => {
    const { reply } = await app.ask('POST', '/users', {
      payload: body({ school_id: 1, enterprise_id: 1, is_operator: true, enterprise_user_role: 'admin' }),
    });
    expect(reply).toMatchObject({ user: { enterprise: null, enterprise_user_role: null, is_operator: false } });
  });
});

describe('a change of one’s own details', () => {
  test('a change of one’s own names needs no password, and is logged without the names', async () => {
    const school = await app.build.school();
    const { status, reply } = await app.call(accessCalls.updateMe, {
      token: school.teacher.token,
      body: { first_name: 'Zoë', last_name: "O'Hara", email: school.teacher.email, password: '' },
    });
    expect(status).toBe(200);
    expect(reply.user).toMatchObject({ full_name: "Zoë O'Hara", email: school.teacher.email });
    expect(await auditOf(school.id)).toEqual([
      { action: 'account_changed', actor_user_id: school.teacher.id, details: { fields: ['first_name', 'last_name'] } },
    ]);
    expect(await statusOf(school.teacher.token)).toBe(200);
  });

  test('a change of the password ends every session, including the current one, and is mailed to the address', async () => {
    const { teacher } = await app.build.school();
    const other = (await app.call(accessCalls.logIn, { body: { email: teacher.email, password: PASSWORD } })).reply.meta
      .token;
    const reset = await app.build.link('password_reset', teacher.id);
    const { status } = await app.call(accessCalls.updateMe, {
      token: teacher.token,
      body: { password: NEW, current_password: PASSWORD },
    });
    expect(status).toBe(200);
    expect([await statusOf(teacher.token), await statusOf(other)]).toEqual([401, 401]);
    expect([await loginStatus(teacher.email, PASSWORD), await loginStatus(teacher.email, NEW)]).toEqual([401, 200]);
    expect((await app.ask('POST', '/users/password/verify', { payload: { token: reset } })).status).toBe(404);
    await app.runJobs();
    const mails = app.mails.filter(({ kind, recipient }) => recipient === teacher.email && kind === 'account_changed');
    expect(mails).toMatchObject([{ subject: 'Your Storylark password changed' }]);
    expect(mails[0]?.text).not.toContain(NEW);
  });

  test('a change to an email address that is taken is rejected, and nothing is changed', async () => {
    const { teacher, admin } = await app.build.school();
    const taken = await app.call(accessCalls.updateMe, {
      token: teacher.token,
      body: { first_name: 'Other', email: admin.email.toUpperCase(), current_password: PASSWORD },
    });
    expect(taken).toMatchObject({ status: 400, error: { error: 'Duplicate email', code: 'duplicate_email' } });
    expect((await app.call(accessCalls.getMe, { token: teacher.token })).reply.user.first_name).toBe('Morgan');
  });

  test.each([
    [{ password: NEW }, 'current_password'],
    [{ password: NEW, current_password: '' }, 'current_password'],
    [{ password: NEW, current_password: 'not this one' }, 'current_password'],
    [{ email: 'another@test.example' }, 'current_password'],
    [{ password: 'Liverpool1', current_password: PASSWORD }, 'password'],
    [{ password: 'short', current_password: PASSWORD }, 'password'],
    [{ email: ['a@test.example'] }, 'email'],
    [{ first_name: 'X' }, 'first_name'],
    [{ weekly_school_digest_optin: 'perhaps' }, 'weekly_school_digest_optin'],
  ])('%j is rejected at %s', async (payload, field) => {
    const { teacher } = await app.build.school();
    const { status, error } = await app.ask('POST', '/users/me', { token: teacher.token, payload });
    expect(status).toBe(422);
    expect(Object.keys(error.errors ?? {})).toEqual([field]);
    expect(await loginStatus(teacher.email, PASSWORD)).toBe(200);
  });

  test('guesses at the current password are limited, for this user only', async () => {
    const { teacher, admin } = await app.build.school();
    const guess = (token: string, current_password: string) =>
      app.call(accessCalls.updateMe, { token, body: { password: NEW, current_password } });
    const answers = [];
    for (let time = 0; time < 11; time += 1) answers.push((await guess(teacher.token, `guess number ${time}`)).status);
    expect(answers).toEqual([...Array<number>(10).fill(422), 429]);
    expect((await guess(teacher.token, PASSWORD)).status).toBe(429);
    expect((await guess(admin.token, PASSWORD)).status).toBe(200);
  });

  test('a change of the digest keeps the day of consent', async () => {
    const { teacher } = await app.build.school();
    const set = async (optin: boolean | number) =>
      (
        await app.call(accessCalls.updateMe, {
          token: teacher.token,
          body: { weekly_school_digest_optin: optin as boolean },
        })
      ).reply.user.weekly_school_digest_optin_at;
    expect(await set(1)).toBe('2026-11-18T12:00:00.000Z');
    app.setTime('2026-11-19T12:00:00.000Z');
    expect(await set(true)).toBe('2026-11-18T12:00:00.000Z');
    expect(await set(0)).toBeNull();
    app.setTime('2026-11-18T12:00:00.000Z');
  });
});

describe('the set-up sequence', () => {
  test('a user who must choose a password can set only that, once', async () => {
    const teacher = await flagged();
    expect((await app.call(accessCalls.getMe, { token: teacher.token })).reply.user.require_password_reset).toBe(true);
    const { status, reply } = await app.call(accessCalls.updateMe, { token: teacher.token, body: { password: NEW } });
    expect({ status, flag: reply.user.require_password_reset }).toEqual({ status: 200, flag: false });
    expect(await loginStatus(teacher.email, NEW)).toBe(200);
    // The session that set it has ended; a new one needs the current password.
    expect((await app.call(accessCalls.getMe, { token: teacher.token })).status).toBe(401);
    const { meta } = (await app.call(accessCalls.logIn, { body: { email: teacher.email, password: NEW } })).reply;
    expect((await app.call(accessCalls.updateMe, { token: meta.token, body: { password: `${NEW}7` } })).status).toBe(
      422,
    );
  });

  test('the email address is not changed without the password', async () => {
    const teacher = await flagged();
    const { error } = await app.call(accessCalls.updateMe, {
      token: teacher.token,
      body: { password: NEW, email: newEmail() },
    });
    expect(Object.keys(error.errors ?? {})).toEqual(['current_password']);
  });

  test('a set-up link is not a session, and fifty simultaneous uses get one session', async () => {
    const teacher = await flagged();
    const token = await app.build.link('set_up', teacher.id);
    expect(await statusOf(token)).toBe(401);
    const uses = await Promise.all(
      Array.from({ length: 50 }, () => app.call(passwordCalls.exchangeSetUpLink, { body: { token } })),
    );
    const good = uses.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    expect(good[0]?.reply.user).toMatchObject({ id: teacher.id, require_password_reset: true });
    expect(await statusOf(good[0]?.reply.meta.token ?? '')).toBe(200);
    expect(uses.find(({ status }) => status !== 200)).toMatchObject({
      status: 404,
      error: { error: 'This token is no longer authorised', code: 'token_expired' },
    });
  });

  test('a set-up link ends after seven days, or once its user has reset the password', async () => {
    const issue = async ({ id }: { id: number }) =>
      inPlatform(app.database, (db) => makeSetUpLink(db, { userId: id, schoolId: null }, app.services.clock.now()));
    const exchange = async (token: string) =>
      (await app.call(passwordCalls.exchangeSetUpLink, { body: { token } })).status;
    app.setTime('2026-11-18T12:00:00.000Z');
    const [early, late, reset] = [await flagged(), await flagged(), await flagged()];
    const [earlyLink, lateLink] = [await issue(early), await issue(late)];
    app.setTime('2026-11-25T11:59:59.999Z');
    expect(await exchange(earlyLink)).toBe(200);
    app.setTime('2026-11-25T12:00:00.000Z');
    expect(await exchange(lateLink)).toBe(404);
    const unused = await issue(reset);
    const token = await app.build.link('password_reset', reset.id);
    expect((await app.call(passwordCalls.resetPassword, { body: { token, password: NEW } })).status).toBe(200);
    expect(await exchange(unused)).toBe(404);
    app.setTime('2026-11-18T12:00:00.000Z');
  });

  test('a link of another kind starts no set-up', async () => {
    const teacher = await flagged();
    const token = await app.build.link('password_reset', teacher.id);
    expect((await app.call(passwordCalls.exchangeSetUpLink, { body: { token } })).status).toBe(404);
  });
});
