import { accessCalls } from '#contract/calls/access.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { sessionCalls } from '#contract/calls/sessions.ts';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD, type Person } from '../../../testing/builder.ts';
import { guessAsStrangers, makeClient, type TestClient } from '../../../testing/client-at.ts';
import { SoftwarePasskey } from '../../../testing/software-passkey.ts';

const ORIGIN = 'https://portal.test.example';
const RP_ID = 'portal.test.example';
const app = testApp({ PUBLIC_URL: ORIGIN });
const START = Date.parse('2026-11-18T12:00:00.000Z');
const DAY_S = 86_400;
const HOME = '192.0.2.1';
const TRAIN = '192.0.2.2';

let seconds = 0;
const at = (time: number) => app.setTime(new Date(START + (seconds = time) * 1000).toISOString());
beforeEach(async () => {
  at(0);
  await app.database.kysely.deleteFrom('rate_limits').execute();
});

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: START + seconds * 1000 });
const logIn = (client: TestClient, email: string) => client.send(accessCalls.logIn, { email, password: PASSWORD });
const finish = (client: TestClient, token: string, code: string) =>
  client.send(secondFactorCalls.logInWithFactor, { token, code });

async function addApp(token: string) {
  const { secret } = (await app.call(secondFactorCalls.beginAuthenticator, { token })).reply;
  const body = { code: codeOf(secret), name: 'Phone' };
  const { reply } = await app.call(secondFactorCalls.confirmAuthenticator, { token, body });
  return { secret, recoveryCode: reply.recovery_codes?.[0] ?? '' };
}

async function addPasskey({ token }: Person) {
  const passkey = new SoftwarePasskey(ORIGIN);
  const { options } = (await app.call(secondFactorCalls.beginPasskey, { token })).reply;
  const added = passkey.create({ challenge: options.challenge, rpId: RP_ID });
  await app.call(secondFactorCalls.addPasskey, { token, body: { passkey: added, name: 'Laptop' } });
  return { passkey };
}

async function logInWith(passkey: SoftwarePasskey, device: TestClient) {
  const { reply } = await app.call(secondFactorCalls.getPasskeyLoginOptions, {});
  const answer = passkey.get({ challenge: reply.options.challenge, rpId: RP_ID });
  return device.send(secondFactorCalls.logInWithPasskey, { passkey: answer });
}

describe('a device is known after', () => {
  const secondStep = async (device: TestClient, { email }: Person, code: string) =>
    finish(device, (await logIn(device, email)).token, code);
  const enrol = async (device: TestClient, { id, email }: Person) => {
    const schools = app.database.kysely.selectFrom('user_schools').select('school_id').where('user_id', '=', id);
    await app.database.kysely
      .updateTable('schools')
      .set({ teachers_factor_from: '2026-11-01' })
      .where('id', 'in', schools)
      .execute();
    const { token } = await logIn(device, email);
    const begun = await app.call(secondFactorCalls.beginEnrolmentApp, { body: { token } });
    return device.send(secondFactorCalls.enrolApp, { token, code: codeOf(begun.reply.secret), name: 'Phone' });
  };

  test.each<[string, (device: TestClient, person: Person) => Promise<{ status: number }>]>([
    ['a password', (device, { email }) => logIn(device, email)],
    [
      'a code',
      async (device, person) => {
        const { secret } = await addApp(person.token);
        at(60);
        return secondStep(device, person, codeOf(secret));
      },
    ],
    [
      'a recovery code',
      async (device, person) => secondStep(device, person, (await addApp(person.token)).recoveryCode),
    ],
    ['a passkey', async (device, person) => logInWith((await addPasskey(person)).passkey, device)],
    [
      'a set-up link',
      async (device, { id }) =>
        device.send(passwordCalls.exchangeSetUpLink, { token: await app.build.link('set_up', id) }),
    ],
    ['an enrolment', enrol],
    [
      'a new password by a link',
      async (device, { id }) => {
        const token = await app.build.link('password_reset', id);
        return device.send(passwordCalls.resetPassword, { token, password: 'kite harbour 7' });
      },
    ],
  ])('%s, which strangers’ guesses then do not lock out', async (_kind, logInBy) => {
    const { teacher } = await app.build.school();
    const device = makeClient(app, HOME);
    expect((await logInBy(device, teacher)).status).toBe(200);
    await guessAsStrangers(app, teacher.email, 12);
    device.moveTo(TRAIN);
    expect((await logIn(device, teacher.email)).status).not.toBe(429);
    expect((await logIn(makeClient(app, HOME), teacher.email)).status).toBe(429);
  });
});

test('a known device logs in with a passkey when someone behind the same address has used up its limit', async () => {
  const { teacher } = await app.build.school();
  const device = makeClient(app, HOME);
  const { passkey } = await addPasskey(teacher);
  expect((await logInWith(passkey, device)).status).toBe(200);
  const neighbour = makeClient(app, HOME);
  const unknown = new SoftwarePasskey(ORIGIN).get({ challenge: 'A'.repeat(43), rpId: RP_ID });
  for (let n = 0; n < 100; n += 1) await neighbour.send(secondFactorCalls.logInWithPasskey, { passkey: unknown });
  expect((await logInWith(passkey, neighbour)).status).toBe(429);
  expect((await logInWith(passkey, device)).status).toBe(200);
});

describe('a device is no longer known', () => {
  /** A teacher who has logged in on a device. */
  async function loggedIn() {
    const { teacher } = await app.build.school();
    const device = makeClient(app, HOME);
    return { teacher, device, token: (await logIn(device, teacher.email)).token };
  }
  const statusAfterGuesses = async (device: TestClient, email: string) => {
    await guessAsStrangers(app, email, 12);
    return (await logIn(device, email)).status;
  };

  test('a device is known until 12 months after its last login, also when the clock is set back', async () => {
    const { teacher, device } = await loggedIn();
    at(-2 * DAY_S);
    expect(await statusAfterGuesses(device, teacher.email)).toBe(200);
    at(363 * DAY_S - 1);
    expect(await statusAfterGuesses(device, teacher.email)).toBe(200);
    at(728 * DAY_S - 1);
    expect(await statusAfterGuesses(device, teacher.email)).toBe(429);
  });

  test('a device is unknown once the owner has logged out all other devices, also where no session was left', async () => {
    const { teacher, device, token } = await loggedIn();
    const current = makeClient(app, TRAIN);
    const { token: own } = await logIn(current, teacher.email);
    await app.call(accessCalls.logOut, { token });
    expect((await app.call(sessionCalls.endOtherSessions, { token: own })).status).toBe(200);
    expect(await statusAfterGuesses(device, teacher.email)).toBe(429);
    expect((await logIn(current, teacher.email)).status).toBe(200);
  });

  test('a device is unknown before the address is confirmed, because it may belong to another person', async () => {
    const { teacher, device } = await loggedIn();
    const table = app.database.kysely.updateTable('users').where('id', '=', teacher.id);
    await table.set({ email_confirmed_at: null }).execute();
    expect(await statusAfterGuesses(device, teacher.email)).toBe(429);
    await table.set({ email_confirmed_at: new Date(START) }).execute();
    expect((await logIn(device, teacher.email)).status).toBe(200);
  });
});
