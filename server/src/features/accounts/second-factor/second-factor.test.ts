import { accessCalls } from '#contract/calls/access.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { secondFactorCalls as calls } from '#contract/calls/second-factor.ts';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD } from '../../../testing/builder.ts';
import { SoftwarePasskey } from '../../../testing/software-passkey.ts';

const ORIGIN = 'https://portal.test.example';
const RP_ID = 'portal.test.example';
const app = testApp({ PUBLIC_URL: ORIGIN });
const NOON = Date.parse('2026-11-18T12:00:00.000Z');
const SECOND = 1000;

let passed = 0;
const later = (seconds: number) => app.setTime(new Date(NOON + (passed += seconds) * SECOND).toISOString());

beforeEach(async () => {
  passed = 0;
  later(0);
  await app.runJobs();
  app.mails.length = 0;
});

const codeOf = (secret: string, offset = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: NOON + (passed + offset) * SECOND });

const logIn = (email: string) => app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });

async function attempt(email: string): Promise<string> {
  const { status, error } = await logIn(email);
  expect(status).toBe(401);
  expect(error.code).toBe('second_factor_required');
  return error.second_factor?.token ?? '';
}

const finish = (token: string, code: string) => app.call(calls.logInWithFactor, { body: { token, code } });

/** Adds an authenticator app and moves to the next code. */
async function addApp(token: string, name = 'Phone') {
  const begun = await app.call(calls.beginAuthenticator, { token });
  expect(begun.status).toBe(200);
  const { secret } = begun.reply;
  const { status, reply } = await app.call(calls.confirmAuthenticator, {
    token,
    body: { code: codeOf(secret), name },
  });
  expect(status).toBe(200);
  later(30);
  return { secret, factor: reply.factor, recoveryCodes: reply.recovery_codes ?? [] };
}

async function addPasskey(token: string, passkey = new SoftwarePasskey(ORIGIN), name = 'Laptop') {
  const { reply } = await app.call(calls.beginPasskey, { token });
  const answer = passkey.create({ challenge: reply.options.challenge, rpId: RP_ID });
  return { passkey, added: await app.call(calls.addPasskey, { token, body: { passkey: answer, name } }) };
}

async function logInWith(passkey: SoftwarePasskey, more: { isVerified?: boolean } = {}) {
  const { reply } = await app.call(calls.getPasskeyLoginOptions, {});
  const answer = passkey.get({ challenge: reply.options.challenge, rpId: RP_ID, ...more });
  return { answer, answered: await app.call(calls.logInWithPasskey, { body: { passkey: answer } }) };
}

/** Audit entries of the school, without those of ordinary logins. */
const audited = async (schoolId: number) =>
  (
    await app.database.kysely
      .selectFrom('audit_log')
      .select('action')
      .where('school_id', '=', schoolId)
      .where('action', 'like', 'login_%')
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

test('the audit log and the one login event say with which factor a login was completed', async () => {
  const { admin, id } = await app.build.school();
  const { secret, recoveryCodes } = await addApp(admin.token);
  later(60);
  await finish(await attempt(admin.email), codeOf(secret));
  await finish(await attempt(admin.email), recoveryCodes[0] ?? '');
  const { passkey } = await addPasskey(admin.token);
  await logInWith(passkey);
  const entries = await app.database.kysely
    .selectFrom('audit_log')
    .select('details')
    .where('school_id', '=', id)
    .where('action', '=', 'logged_in')
    .orderBy('id')
    .execute();
  expect(entries.map(({ details }) => details)).toEqual([
    { factor: 'authenticator' },
    { factor: 'recovery_code' },
    { factor: 'passkey' },
  ]);
  const events = app.database.kysely.selectFrom('login_events').select(['user_id', 'method']);
  expect(await events.where('school_id', '=', id).orderBy('id').execute()).toEqual([
    { user_id: admin.id, method: 'authenticator' },
    { user_id: admin.id, method: 'recovery_code' },
    { user_id: admin.id, method: 'passkey' },
  ]);
});

describe('a login with an authenticator app', () => {
  test('takes a password and then a code, and no session exists before the code', async () => {
    const { admin } = await app.build.school();
    const { secret } = await addApp(admin.token);
    const sessions = () =>
      app.database.kysely
        .selectFrom('sessions')
        .where('user_id', '=', admin.id)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
    const before = await sessions();
    const { error } = await logIn(admin.email);
    expect(error.second_factor?.methods).toEqual(['authenticator', 'recovery_code']);
    expect(await sessions()).toEqual(before);
    const token = error.second_factor?.token ?? '';
    expect((await app.call(accessCalls.getMe, { token })).status).toBe(401);
    const { status, reply } = await finish(token, codeOf(secret));
    expect(status).toBe(200);
    expect((await app.call(accessCalls.getMe, { token: reply.meta.token })).reply.user.id).toBe(admin.id);
  });

  test.each([-30, 0, 30])('accepts the code of %i seconds away', async (offset) => {
    const { admin } = await app.build.school();
    const { secret } = await addApp(admin.token);
    later(60);
    expect((await finish(await attempt(admin.email), codeOf(secret, offset))).status).toBe(200);
  });

  test.each([-60, 60])('rejects the code of %i seconds away', async (offset) => {
    const { admin } = await app.build.school();
    const { secret } = await addApp(admin.token);
    later(90);
    expect(await finish(await attempt(admin.email), codeOf(secret, offset))).toMatchObject({
      status: 401,
      error: { code: 'second_factor_failed' },
    });
  });

  test('takes each code once, also from two logins at the same time', async () => {
    const { admin } = await app.build.school();
    const { secret } = await addApp(admin.token);
    const tokens = [await attempt(admin.email), await attempt(admin.email)];
    const code = codeOf(secret);
    const answers = await Promise.all(tokens.map((token) => finish(token, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    // The code that confirmed the app is used as well.
    const other = await app.build.school();
    const begun = await app.call(calls.beginAuthenticator, { token: other.admin.token });
    const first = codeOf(begun.reply.secret);
    await app.call(calls.confirmAuthenticator, { token: other.admin.token, body: { code: first, name: 'Phone' } });
    expect((await finish(await attempt(other.admin.email), first)).status).toBe(401);
  });

  test('takes the token once, for five minutes', async () => {
    const { admin } = await app.build.school();
    const { secret } = await addApp(admin.token);
    const token = await attempt(admin.email);
    later(299);
    expect((await finish(token, codeOf(secret))).status).toBe(200);
    later(30);
    expect((await finish(token, codeOf(secret))).error.code).toBe('login_attempt_expired');
    const late = await attempt(admin.email);
    later(300);
    expect((await finish(late, codeOf(secret))).error.code).toBe('login_attempt_expired');
  });

  test('stops after ten wrong codes in an hour, however often the login begins again', async () => {
    const school = await app.build.school();
    const { secret } = await addApp(school.admin.token);
    const statuses: number[] = [];
    for (let wrong = 0; wrong < 11; wrong += 1) {
      const token = await attempt(school.admin.email);
      statuses.push((await finish(token, '000000')).status);
      // The login itself allows ten passwords in five minutes.
      later(60);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await finish(await attempt(school.admin.email), codeOf(secret))).status).toBe(429);
    later(3600);
    expect((await finish(await attempt(school.admin.email), codeOf(secret))).status).toBe(200);
    await app.runJobs();
    expect((await audited(school.id)).filter((action) => action === 'login_factor_failed')).toHaveLength(10);
  });

  test('a new password ends a login that waits for its code', async () => {
    const { admin } = await app.build.school();
    const { secret } = await addApp(admin.token);
    const token = await attempt(admin.email);
    await app.call(passwordCalls.requestPasswordReset, { body: { email: admin.email } });
    await app.runJobs();
    const link = /reset\?token=([\w-]+)/.exec(app.mails.at(-1)?.text ?? '')?.[1] ?? '';
    await app.call(passwordCalls.resetPassword, { body: { token: link, password: 'kite harbour 7' } });
    expect((await finish(token, codeOf(secret))).error.code).toBe('login_attempt_expired');
    // A new password does not remove the second factor.
    const again = await app.call(accessCalls.logIn, { body: { email: admin.email, password: 'kite harbour 7' } });
    expect(again.error.code).toBe('second_factor_required');
  });

  test('rejects another user’s code', async () => {
    const [{ admin }, second] = [await app.build.school(), await app.build.school()];
    await addApp(admin.token);
    const other = await addApp(second.admin.token);
    expect((await finish(await attempt(admin.email), codeOf(other.secret))).status).toBe(401);
  });
});

describe('recovery codes', () => {
  test('ten recovery codes are shown once, stored as digests, and each logs in once, even under concurrent use', async () => {
    const school = await app.build.school();
    const { recoveryCodes } = await addApp(school.admin.token);
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    const stored = JSON.stringify(await app.database.kysely.selectFrom('recovery_codes').selectAll().execute());
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replace('-', ''));
    const [code = ''] = recoveryCodes;
    const tokens = [await attempt(school.admin.email), await attempt(school.admin.email)];
    const answers = await Promise.all([finish(tokens[0]!, code.toUpperCase()), finish(tokens[1]!, ` ${code} `)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    await app.runJobs();
    const mail = app.mails.find(({ subject }) => subject === 'A recovery code was used – Storylark');
    expect(mail?.text).toContain('You have 9 left.');
    const { reply } = await app.call(calls.listFactors, { token: school.admin.token });
    expect(reply.recovery_codes_left).toBe(9);
    expect(await audited(school.id)).toContain('login_recovery_code_used');
  });

  test('rejects a recovery code of another account', async () => {
    const [first, second] = [await app.build.school(), await app.build.school()];
    const { recoveryCodes } = await addApp(first.admin.token);
    await addApp(second.admin.token);
    expect((await finish(await attempt(second.admin.email), recoveryCodes[0] ?? '')).status).toBe(401);
  });

  test('recovery codes stop working when their owner makes new ones', async () => {
    const { admin } = await app.build.school();
    const { recoveryCodes } = await addApp(admin.token);
    const { reply } = await app.call(calls.renewRecoveryCodes, { token: admin.token });
    expect((await finish(await attempt(admin.email), recoveryCodes[0] ?? '')).status).toBe(401);
    expect((await finish(await attempt(admin.email), reply.recovery_codes[0] ?? '')).status).toBe(200);
    const { token } = (await app.build.school()).admin;
    expect((await app.call(calls.renewRecoveryCodes, { token })).status).toBe(404);
  });
});

describe('a passkey', () => {
  test('a passkey logs in on its own, and its challenge works once', async () => {
    const { admin } = await app.build.school();
    const { passkey, added } = await addPasskey(admin.token);
    expect(added.reply.recovery_codes).toHaveLength(10);
    const { answer, answered } = await logInWith(passkey);
    expect(answered.status).toBe(200);
    expect(answered.reply.user.id).toBe(admin.id);
    expect((await app.call(calls.logInWithPasskey, { body: { passkey: answer } })).error.code).toBe('passkey_failed');
    // The password alone is no longer enough.
    expect((await logIn(admin.email)).error.second_factor?.methods).toEqual(['passkey', 'recovery_code']);
  });

  test('rejects a passkey of another site, without its owner, with an old counter or without an account', async () => {
    const { admin } = await app.build.school();
    const { passkey } = await addPasskey(admin.token);
    passkey.count = 5;
    expect((await logInWith(passkey)).answered.status).toBe(200);
    expect((await logInWith(passkey)).answered.status).toBe(401);
    passkey.count = 4;
    expect((await logInWith(passkey)).answered.status).toBe(401);
    passkey.count = 6;
    expect((await logInWith(passkey, { isVerified: false })).answered.status).toBe(401);
    expect((await logInWith(new SoftwarePasskey(ORIGIN))).answered.status).toBe(401);
    expect((await logInWith(passkey)).answered.status).toBe(200);

    const elsewhere = new SoftwarePasskey('https://portal.test.example.evil.example');
    expect((await addPasskey(admin.token, elsewhere)).added.error.code).toBe('passkey_failed');
  });

  test('is not added with the challenge of another account or of a login, or twice', async () => {
    const [first, second] = [await app.build.school(), await app.build.school()];
    const passkey = new SoftwarePasskey(ORIGIN);
    const begun = await app.call(calls.beginPasskey, { token: first.admin.token });
    const login = await app.call(calls.getPasskeyLoginOptions, {});
    for (const { reply } of [begun, login]) {
      const answer = passkey.create({ challenge: reply.options.challenge, rpId: RP_ID });
      const { status } = await app.call(calls.addPasskey, {
        token: second.admin.token,
        body: { passkey: answer, name: 'Laptop' },
      });
      expect(status).toBe(401);
    }
    expect((await addPasskey(first.admin.token, passkey)).added.status).toBe(200);
    expect((await addPasskey(second.admin.token, passkey)).added.status).toBe(401);
  });

  test.each([{}, { id: 'x'.repeat(5000) }, { clientDataJSON: 'e30' }])(
    'that is malformed (%o) is rejected',
    async (fields) => {
      const { status } = await app.ask('POST', '/auth/passkey', {
        payload: { passkey: { id: 'a', rawId: 'a', type: 'public-key', response: fields, ...fields } },
      });
      expect([401, 422]).toContain(status);
    },
  );
});

describe('changing second factors', () => {
  test('needs a login or a proof in the last 15 minutes', async () => {
    const { admin } = await app.build.school();
    const { token } = admin;
    later(15 * 60);
    const needsProof = Object.values(calls).filter((call) => call.needsProof);
    expect(needsProof.map(({ name }) => name)).toEqual([
      'beginAuthenticator',
      'confirmAuthenticator',
      'beginPasskey',
      'addPasskey',
      'removeFactor',
      'renewRecoveryCodes',
    ]);
    expect((await app.call(calls.beginAuthenticator, { token })).error.code).toBe('proof_required');
    const prove = (body: { password: string; code?: string }) => app.call(calls.proveIdentity, { token, body });
    expect((await prove({ password: 'wrong password' })).error.errors).toHaveProperty('password');
    expect((await app.call(calls.beginAuthenticator, { token })).status).toBe(409);
    expect((await prove({ password: PASSWORD })).status).toBe(200);
    const { secret } = await addApp(token);

    // With a second factor the password is not enough.
    later(15 * 60);
    expect((await prove({ password: PASSWORD })).error.errors).toHaveProperty('code');
    expect((await prove({ password: PASSWORD, code: '000000' })).status).toBe(401);
    expect((await app.call(calls.renewRecoveryCodes, { token })).error.code).toBe('proof_required');
    expect((await prove({ password: PASSWORD, code: codeOf(secret) })).status).toBe(200);
    const { passkey } = await addPasskey(token);

    later(15 * 60);
    const proveWith = async (device: SoftwarePasskey) => {
      const { reply } = await app.call(calls.getPasskeyLoginOptions, {});
      const answer = device.get({ challenge: reply.options.challenge, rpId: RP_ID });
      return app.call(calls.proveIdentityWithPasskey, { token, body: { passkey: answer } });
    };
    const stranger = (await app.build.school()).admin;
    const { passkey: foreign } = await addPasskey(stranger.token);
    expect((await proveWith(foreign)).status).toBe(401);
    expect((await app.call(calls.renewRecoveryCodes, { token })).error.code).toBe('proof_required');
    expect((await proveWith(passkey)).status).toBe(200);
    expect((await app.call(calls.renewRecoveryCodes, { token })).status).toBe(200);
  });

  test('tells the owner by email and the audit log', async () => {
    const school = await app.build.school();
    const { factor } = await addApp(school.admin.token, 'Phone');
    await app.call(calls.removeFactor, { token: school.admin.token, params: { factorId: factor.id } });
    await app.runJobs();
    expect(app.mails.map(({ recipient, subject }) => [recipient, subject]).sort()).toEqual([
      [school.admin.email, 'An authenticator app was added – Storylark'],
      [school.admin.email, 'An authenticator app was removed – Storylark'],
    ]);
    expect(await audited(school.id)).toEqual(['login_factor_added', 'login_factor_removed']);
    // Without a second factor the password is enough, and the recovery codes are gone.
    expect((await logIn(school.admin.email)).status).toBe(200);
    const { reply } = await app.call(calls.listFactors, { token: school.admin.token });
    expect(reply).toEqual({ factors: [], recovery_codes_left: 0, recovery_due_at: null });
  });

  test('in two windows at once keeps one of the begun apps', async () => {
    const { admin } = await app.build.school();
    const begin = () => app.call(calls.beginAuthenticator, { token: admin.token });
    const begun = await Promise.all([begin(), begin()]);
    const secrets = begun.flatMap(({ status, reply }) => (status === 200 ? [reply.secret] : []));
    const confirmed = [];
    for (const secret of secrets)
      confirmed.push(
        (
          await app.call(calls.confirmAuthenticator, {
            token: admin.token,
            body: { code: codeOf(secret), name: 'Phone' },
          })
        ).status,
      );
    expect(confirmed.filter((status) => status === 200)).toHaveLength(1);
  });

  test('an account has at most ten factors, even when two are added at once', async () => {
    const { admin } = await app.build.school();
    for (let count = 0; count < 9; count += 1) expect((await addPasskey(admin.token)).added.status).toBe(200);
    const begin = async () => {
      const passkey = new SoftwarePasskey(ORIGIN);
      const { reply } = await app.call(calls.beginPasskey, { token: admin.token });
      return passkey.create({ challenge: reply.options.challenge, rpId: RP_ID });
    };
    const answers = [await begin(), await begin()];
    const added = await Promise.all(
      answers.map((passkey) => app.call(calls.addPasskey, { token: admin.token, body: { passkey, name: 'Laptop' } })),
    );
    expect(added.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await app.call(calls.beginAuthenticator, { token: admin.token })).error.code).toBe('too_many_factors');
  });

  test('a second factor of another account answers like a missing factor', async () => {
    const [first, second] = [await app.build.school(), await app.build.school()];
    const { factor } = await addApp(first.admin.token);
    const params = { factorId: factor.id };
    expect((await app.call(calls.removeFactor, { token: second.admin.token, params })).status).toBe(404);
    const renamed = await app.call(calls.renameFactor, { token: second.admin.token, params, body: { name: 'Mine' } });
    expect(renamed.status).toBe(404);
    const own = await app.call(calls.renameFactor, { token: first.admin.token, params, body: { name: 'Old phone' } });
    expect(own.reply.factor.name).toBe('Old phone');
  });
});

test('the database alone reveals neither the secret of an app nor a recovery code', async () => {
  const { admin } = await app.build.school();
  const { secret } = await addApp(admin.token);
  const rows = await app.database.kysely
    .selectFrom('login_factors')
    .selectAll()
    .where('user_id', '=', admin.id)
    .execute();
  const bytes = Buffer.from(Secret.fromBase32(secret).bytes);
  expect(rows[0]?.sealed_secret?.includes(bytes)).toBe(false);
});
