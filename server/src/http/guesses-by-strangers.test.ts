import { accessCalls } from '#contract/calls/access.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { PASSWORD } from '../testing/builder.ts';
import { guessAsStrangers, makeClient, type TestClient } from '../testing/client-at.ts';

const app = testApp();
const START = Date.parse('2026-11-18T12:00:00.000Z');
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

const guess = (email: string, times: number, first = 0) => guessAsStrangers(app, email, times, first);
const logIn = (client: TestClient, email: string) => client.send(accessCalls.logIn, { email, password: PASSWORD });
const finish = (client: TestClient, token: string, code: string) =>
  client.send(secondFactorCalls.logInWithFactor, { token, code });

/** A teacher who has logged in on a device. */
async function owner(options?: { isProgram: boolean }) {
  const { teacher } = await app.build.school();
  const device = makeClient(app, HOME, options);
  const { status, token } = await logIn(device, teacher.email);
  expect(status).toBe(200);
  return { teacher, device, token };
}

async function addApp(token: string) {
  const { secret } = (await app.call(secondFactorCalls.beginAuthenticator, { token })).reply;
  const body = { code: codeOf(secret), name: 'Phone' };
  const { reply } = await app.call(secondFactorCalls.confirmAuthenticator, { token, body });
  return { secret, recoveryCode: reply.recovery_codes?.[0] ?? '' };
}

describe('while strangers guess a password', () => {
  test('guesses by strangers: the owner logs in from a known device, at any network address, and may mistype', async () => {
    const { teacher, device } = await owner();
    // 400 guesses from as many networks, in 17 minutes.
    for (let round = 1; round <= 10; round += 1) {
      at(round * 100);
      await guess(teacher.email, 40, round * 40);
      device.moveTo(round % 2 ? TRAIN : HOME);
      expect((await device.send(accessCalls.logIn, { email: teacher.email, password: 'mistyped' })).status).toBe(401);
      expect((await logIn(device, teacher.email)).status).toBe(200);
    }
  });

  test('guesses by strangers are counted together: 10 in 5 minutes, from all networks', async () => {
    const { teacher } = await owner();
    for (const window of [0, 300]) {
      at(window);
      const statuses = (await guess(teacher.email, 60)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(50);
    }
  });

  test('guesses by strangers keep the owner out of a new device for at most 5 minutes', async () => {
    const { teacher } = await owner();
    await guess(teacher.email, 12);
    const { status, retryAfter } = await logIn(makeClient(app, TRAIN), teacher.email);
    expect([status, retryAfter]).toEqual([429, 300]);
    at(300);
    expect((await logIn(makeClient(app, TRAIN), teacher.email)).status).toBe(200);
  });

  test('guesses by strangers: the device cookie of another user and a forged one do not help', async () => {
    const { teacher } = await owner();
    const { device: colleagues } = await owner();
    const forged = makeClient(app, HOME);
    forged.cookie = `device=${'A'.repeat(43)}`;
    await guess(teacher.email, 12);
    for (const client of [colleagues, forged]) expect((await logIn(client, teacher.email)).status).toBe(429);
  });

  test('guesses by strangers: a program is known at the network address of its last login', async () => {
    const { teacher, device } = await owner({ isProgram: true });
    await guess(teacher.email, 12);
    device.moveTo(TRAIN);
    expect((await logIn(device, teacher.email)).status).toBe(429);
    device.moveTo(HOME);
    expect((await logIn(device, teacher.email)).status).toBe(200);
  });

  test('lets a known device in when someone behind the same address has used up its limit', async () => {
    const { teacher, device } = await owner();
    const pupil = makeClient(app, HOME);
    for (let n = 0; n < 100; n += 1) await logIn(pupil, `unknown-${n}@test.example`);
    expect((await logIn(makeClient(app, HOME), teacher.email)).status).toBe(429);
    expect((await logIn(device, teacher.email)).status).toBe(200);
  });

  test('a known device is stopped after 10 guesses of its own, and no other device', async () => {
    const { teacher, device } = await owner();
    const second = makeClient(app, TRAIN);
    await logIn(second, teacher.email);
    for (let n = 0; n < 10; n += 1)
      expect((await device.send(accessCalls.logIn, { email: teacher.email, password: 'guess' })).status).toBe(401);
    expect((await logIn(device, teacher.email)).status).toBe(429);
    expect((await logIn(second, teacher.email)).status).toBe(200);
    expect((await guess(teacher.email, 1)).map(({ status }) => status)).toEqual([401]);
  });
});

describe('the second step', () => {
  test('lets a known device in when someone behind the same address has used up its limit', async () => {
    const { teacher, device, token } = await owner();
    const { secret } = await addApp(token);
    at(60);
    const neighbour = makeClient(app, HOME);
    for (let n = 0; n < 100; n += 1) await finish(neighbour, String(n).padStart(43, 'B'), '000000');
    const begun = await logIn(device, teacher.email);
    expect((await finish(neighbour, begun.token, codeOf(secret))).status).toBe(429);
    expect((await finish(device, begun.token, codeOf(secret))).status).toBe(200);
  });

  test('a known device logs in while strangers guess the password, and codes with the right password', async () => {
    const { teacher, device, token } = await owner();
    const { secret } = await addApp(token);
    const stranger = makeClient(app, TRAIN);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      at(60 * (n + 1));
      const begun = await logIn(stranger, teacher.email);
      statuses.push((await finish(stranger, begun.token, '000000')).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    await guess(teacher.email, 12);
    const begun = await logIn(device, teacher.email);
    expect(begun.status).toBe(401);
    expect((await finish(device, begun.token, codeOf(secret))).status).toBe(200);
  });

  test('a known device is stopped after ten wrong codes in an hour of its own', async () => {
    const { teacher, device, token } = await owner();
    const { secret } = await addApp(token);
    for (let n = 0; n < 10; n += 1) {
      at(60 * (n + 1));
      expect((await finish(device, (await logIn(device, teacher.email)).token, '000000')).status).toBe(401);
    }
    const begun = await logIn(device, teacher.email);
    expect((await finish(device, begun.token, codeOf(secret))).status).toBe(429);
    at(3700);
    expect((await finish(device, (await logIn(device, teacher.email)).token, codeOf(secret))).status).toBe(200);
  });
});
