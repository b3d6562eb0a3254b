import { accessCalls } from '#contract/calls/access.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../testing/builder.ts';
import { SoftwarePasskey } from '../testing/software-passkey.ts';

const PUBLIC_URL = 'https://portal.test.example';
const app = testApp({ PUBLIC_URL });
const NOON = Date.parse('2026-11-18T12:00:00.000Z');
beforeEach(() => app.setTime(new Date(NOON).toISOString()));

/** The headers of the portal's own page in a browser with this session. */
const browserOf = (token: string) => ({ cookie: `__Host-session=${token}`, 'sec-fetch-site': 'same-origin' });
const statusOf = async (token: string) => (await app.call(accessCalls.getMe, { token })).status;
const logIn = (email: string, headers = {}, password = PASSWORD) =>
  app.call(accessCalls.logIn, { body: { email, password }, headers });

async function addPasskey(token: string): Promise<SoftwarePasskey> {
  const passkey = new SoftwarePasskey(PUBLIC_URL);
  const begun = await app.call(secondFactorCalls.beginPasskey, { token });
  const answer = passkey.create({ challenge: begun.reply.options.challenge, rpId: 'portal.test.example' });
  await app.call(secondFactorCalls.addPasskey, { token, body: { passkey: answer, name: 'Laptop' } });
  return passkey;
}

/** Every way to log in but that of a provider, which `sign-in-providers.test.ts` tests. Returns the new token. */
const LOGINS: Record<string, (school: BuiltSchool, headers: Record<string, string>) => Promise<string>> = {
  'a password': async ({ teacher }, headers) => (await logIn(teacher.email, headers)).reply.meta.token,
  registration: async (_, headers) => {
    const email = `new-${crypto.randomUUID()}@test.example`;
    const body = { first_name: 'Ada', last_name: 'New', email, password: PASSWORD };
    return (await app.call(accessCalls.register, { body, headers })).reply.meta.token;
  },
  'a set-up link': async ({ teacher }, headers) => {
    const token = await app.build.link('set_up', teacher.id);
    return (await app.call(passwordCalls.exchangeSetUpLink, { body: { token }, headers })).reply.meta.token;
  },
  'a passkey': async ({ teacher }, headers) => {
    const passkey = await addPasskey(teacher.token);
    const begun = await app.call(secondFactorCalls.getPasskeyLoginOptions, {});
    const answer = passkey.get({ challenge: begun.reply.options.challenge, rpId: 'portal.test.example' });
    const body = { passkey: answer };
    return (await app.call(secondFactorCalls.logInWithPasskey, { body, headers })).reply.meta.token;
  },
  'a password and a code': async ({ teacher: { token, email } }, headers) => {
    const { secret } = (await app.call(secondFactorCalls.beginAuthenticator, { token })).reply;
    const codeAt = (timestamp: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
    const body = { code: codeAt(NOON), name: 'Phone' };
    await app.call(secondFactorCalls.confirmAuthenticator, { token, body });
    app.setTime(new Date(NOON + 30_000).toISOString());
    const step = (await logIn(email, headers)).error.second_factor?.token ?? '';
    const second = { token: step, code: codeAt(NOON + 30_000) };
    return (await app.call(secondFactorCalls.logInWithFactor, { body: second, headers })).reply.meta.token;
  },
};

describe.each(Object.entries(LOGINS))('a login with %s', (name, logInAgain) => {
  test(`a login with ${name} ends the session of another user in the same browser`, async () => {
    const school = await app.build.school();
    const token = await logInAgain(school, browserOf(school.admin.token));
    expect([await statusOf(school.admin.token), await statusOf(token)]).toEqual([401, 200]);
  });

  test(`a login with ${name} ends no session whose cookie another site or a program sends`, async () => {
    const school = await app.build.school();
    const cookie = { cookie: browserOf(school.admin.token).cookie };
    await logInAgain(school, cookie);
    expect(await statusOf(school.admin.token)).toBe(200);
    await logInAgain(await app.build.school(), { ...cookie, 'sec-fetch-site': 'cross-site' });
    expect(await statusOf(school.admin.token)).toBe(200);
  });
});

describe('a login', () => {
  test('a login ends the user’s earlier session in the same browser, and no other', async () => {
    const { teacher } = await app.build.school();
    const elsewhere = (await logIn(teacher.email)).reply.meta.token;
    const { reply } = await logIn(teacher.email, browserOf(teacher.token));
    const tokens = [teacher.token, elsewhere, reply.meta.token];
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 200, 200]);
  });

  test('a login with a wrong password leaves the earlier session of the browser', async () => {
    const { teacher, admin } = await app.build.school();
    expect((await logIn(teacher.email, browserOf(admin.token), 'wrong password')).status).toBe(401);
    expect(await statusOf(admin.token)).toBe(200);
  });

  test('a login with a second step leaves the earlier session of the browser until that step is done', async () => {
    const { teacher, admin } = await app.build.school();
    await addPasskey(teacher.token);
    expect((await logIn(teacher.email, browserOf(admin.token))).error.code).toBe('second_factor_required');
    expect(await statusOf(admin.token)).toBe(200);
  });

  test.each(['forged', 'x'.repeat(4000), '%'])(
    'a login works in a browser whose cookie “%.10s” names no session',
    async (cookie) => {
      const { teacher } = await app.build.school();
      expect((await logIn(teacher.email, browserOf(cookie))).status).toBe(200);
    },
  );

  test('two logins at once in one browser leave both new sessions and end the earlier one', async () => {
    const { teacher, admin } = await app.build.school();
    const logins = await Promise.all([0, 1].map(() => logIn(teacher.email, browserOf(admin.token))));
    const tokens = [admin.token, ...logins.map(({ reply }) => reply.meta.token)];
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 200, 200]);
  });

  test('a pupil’s login leaves the session of staff in the same browser', async () => {
    const { admin, unplaced } = await app.build.school();
    const body = { username: unplaced.username, password: PASSWORD };
    const { status } = await app.call(readingAppCalls.logInPupil, { body, headers: browserOf(admin.token) });
    expect([status, await statusOf(admin.token)]).toEqual([200, 200]);
  });

  test('a login in a browser with a support session ends that session', async () => {
    const [operator, { admin, teacher }] = [await app.build.operator(), await app.build.school()];
    const reason = { user_id: admin.id, reason: 'A question of theirs' };
    const minted = await app.call(operatorCalls.mintImpersonation, { token: operator.token, body: reason });
    const support = await app.call(operatorCalls.impersonate, { body: { code: minted.reply.code } });
    const { token } = support.reply.meta;
    await logIn(teacher.email, browserOf(token));
    expect(await statusOf(token)).toBe(401);
  });
});
