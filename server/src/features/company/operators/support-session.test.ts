import { accessCalls } from '#contract/calls/access.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { sessionCalls } from '#contract/calls/sessions.ts';
import { supportAccessCalls } from '#contract/calls/support-access.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '../../../auth/sessions.queries.ts';
import { hashToken, newToken, sessionIdOf } from '../../../auth/tokens.ts';
import { inPlatform } from '../../../database/platform.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { resetOperator } from '../../accounts/second-factor/second-factor.public.ts';
import { removeOperator } from './operators.queries.ts';

const PUBLIC_URL = 'https://portal.test.example';
const app = testApp({ PUBLIC_URL });
const NOON = '2026-11-18T12:00:00.000Z';
beforeEach(() => app.setTime(NOON));

type Operator = Awaited<ReturnType<typeof app.build.operator>>;

const mint = async (token: string, school: BuiltSchool) => {
  const body = { user_id: school.admin.id, reason: 'Ticket 4711: a class is missing' };
  return (await app.call(operatorCalls.mintImpersonation, { token, body })).reply.code;
};
const use = (code: string, headers = {}) => app.call(operatorCalls.impersonate, { body: { code }, headers });
const enter = async (token: string, school: BuiltSchool) => (await use(await mint(token, school))).reply.meta.token;
const statusOf = async (token: string) => (await app.call(accessCalls.getMe, { token })).status;
const logOut = (token: string) => app.call(accessCalls.logOut, { token });

/** Another session of the same operator. */
async function newSession({ id }: { id: number }): Promise<string> {
  const token = newToken();
  const session = { tokenHash: hashToken(token), userId: id, schoolId: null };
  await inPlatform(app.database, (db) => createSession(db, session, app.services.clock.now()));
  return token;
}
const changeSession = (token: string, change: { expires_at: Date } | { last_used_at: Date }) =>
  app.database.kysely.updateTable('sessions').set(change).where('token_hash', '=', hashToken(token)).execute();

const ENDS: Record<string, (operator: Operator, school: BuiltSchool) => Promise<unknown>> = {
  'the operator logs out': ({ token }) => logOut(token),
  'the operator logs out in two tabs at once': ({ token }) => Promise.all([logOut(token), logOut(token)]),
  'the operator ends that session in the list of another one': async (operator) => {
    const params = { loginSessionId: sessionIdOf(hashToken(operator.token)) };
    const { status } = await app.call(sessionCalls.endSession, { token: await newSession(operator), params });
    expect(status).toBe(200);
  },
  'the operator logs out all other devices': async (operator) =>
    app.call(sessionCalls.endOtherSessions, { token: await newSession(operator) }),
  'the operator opens the link of a mail about a new device': async ({ id, token }) => {
    const link = await app.build.link('end_session', id, sessionIdOf(hashToken(token)));
    return app.call(sessionCalls.endSessionByLink, { body: { token: link } });
  },
  'the operator sets a new password': async ({ id }) => {
    const token = await app.build.link('password_reset', id);
    const { status } = await app.call(passwordCalls.resetPassword, { body: { token, password: 'kite harbour 7' } });
    expect(status).toBe(200);
  },
  'the operator’s factors are reset': (operator) =>
    inPlatform(app.database, (db) => resetOperator(db, operator, new Date(NOON))),
  'the operator’s last factor is gone': ({ id }) =>
    app.database.kysely.deleteFrom('login_factors').where('user_id', '=', id).execute(),
  'the operator loses the role': ({ id }) => inPlatform(app.database, (db) => removeOperator(db, id)),
  'the operator’s row is deleted by other means': ({ id }) =>
    app.database.kysely.deleteFrom('operators').where('user_id', '=', id).execute(),
  'the operator’s account is deleted': ({ id }) =>
    app.database.kysely.deleteFrom('users').where('id', '=', id).execute(),
  'the operator’s own session has expired': ({ token }) => changeSession(token, { expires_at: new Date(NOON) }),
  'the operator’s own session was idle for 30 days': ({ token }) =>
    changeSession(token, { last_used_at: new Date('2026-10-19T12:00:00.000Z') }),
  'the school withdraws its permission': async (_, school) => {
    const at = { token: school.admin.token, params: { id: school.id } };
    await app.call(supportAccessCalls.allowSupportAccess, at);
    expect((await app.call(supportAccessCalls.endSupportAccess, at)).status).toBe(200);
  },
};

describe.each(Object.entries(ENDS))('when %s', (_, end) => {
  test('a support session ends at once, and the sessions of the person go on', async () => {
    const [operator, school] = [await app.build.operator(), await app.build.school()];
    const token = await enter(operator.token, school);
    expect(await statusOf(token)).toBe(200);
    await end(operator, school);
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(school.admin.token)).toBe(200);
  });

  test('a code that was not used yet starts no support session', async () => {
    const [operator, school] = [await app.build.operator(), await app.build.school()];
    const code = await mint(operator.token, school);
    await end(operator, school);
    expect((await use(code)).error.error).toBe('This token is no longer authorised');
  });
});

describe('a support session goes on', () => {
  test('a support session goes on when another session of the operator ends', async () => {
    const [operator, school] = [await app.build.operator(), await app.build.school()];
    const other = await newSession(operator);
    const token = await enter(operator.token, school);
    await logOut(other);
    expect(await statusOf(token)).toBe(200);
  });

  test('a support session goes on when another school withdraws its permission', async () => {
    const [operator, { school, otherSchool }] = [await app.build.operator(), await app.build.twoSchools()];
    const token = await enter(operator.token, school);
    const at = { token: otherSchool.admin.token, params: { id: otherSchool.id } };
    await app.call(supportAccessCalls.allowSupportAccess, at);
    await app.call(supportAccessCalls.endSupportAccess, at);
    expect(await statusOf(token)).toBe(200);
  });

  test('a support session goes on when the operator’s one in another school is logged out', async () => {
    const [operator, { school, otherSchool }] = [await app.build.operator(), await app.build.twoSchools()];
    const [token, other] = [await enter(operator.token, school), await enter(operator.token, otherSchool)];
    await logOut(other);
    expect([await statusOf(token), await statusOf(operator.token)]).toEqual([200, 200]);
  });
});

test('support does not outlive an operator’s session that reaches its 90 days within the hour', async () => {
  const [operator, school] = [await app.build.operator(), await app.build.school()];
  await changeSession(operator.token, { expires_at: new Date('2026-11-18T12:30:00.000Z') });
  const token = await enter(operator.token, school);
  app.setTime('2026-11-18T12:29:59.999Z');
  expect(await statusOf(token)).toBe(200);
  app.setTime('2026-11-18T12:30:00.000Z');
  expect(await statusOf(token)).toBe(401);
});

test('a logout at the same time as the exchange of a code leaves no support session', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [operator, school] = [await app.build.operator(), await app.build.school()];
    const code = await mint(operator.token, school);
    const [exchange] = await Promise.all([use(code), logOut(operator.token)]);
    if (exchange.status === 200) expect(await statusOf(exchange.reply.meta.token)).toBe(401);
    expect((await use(code)).status).toBe(404);
  }
});

test('an operator who is appointed again gets no earlier support session back', async () => {
  const [operator, school] = [await app.build.operator(), await app.build.school()];
  const token = await enter(operator.token, school);
  await inPlatform(app.database, (db) => removeOperator(db, operator.id));
  await app.database.kysely.insertInto('operators').values({ user_id: operator.id, added_at: new Date() }).execute();
  expect(await statusOf(token)).toBe(401);
});

describe('in a browser', () => {
  const own = (token: string) => ({ cookie: `__Host-session=${token}`, 'sec-fetch-site': 'same-origin' });

  test('entering a school replaces the operator’s cookie and keeps the operator’s session', async () => {
    const [operator, school] = [await app.build.operator(), await app.build.school()];
    const { status, reply, headers } = await use(await mint(operator.token, school), own(operator.token));
    expect(status).toBe(200);
    expect(String(headers['set-cookie'])).toContain(`__Host-session=${reply.meta.token}`);
    expect([await statusOf(reply.meta.token), await statusOf(operator.token)]).toEqual([200, 200]);
  });

  test('entering a school ends the session of anyone else who was logged in there', async () => {
    const [operator, { school, otherSchool }] = [await app.build.operator(), await app.build.twoSchools()];
    const former = await enter(operator.token, otherSchool);
    const next = await use(await mint(operator.token, school), own(former));
    const last = await use(await mint(operator.token, otherSchool), own(school.teacher.token));
    expect([await statusOf(former), await statusOf(school.teacher.token)]).toEqual([401, 401]);
    expect([await statusOf(next.reply.meta.token), await statusOf(last.reply.meta.token)]).toEqual([200, 200]);
  });
});
