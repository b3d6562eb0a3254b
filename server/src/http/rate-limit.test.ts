import { accessCalls } from '#contract/calls/access.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { PASSWORD } from '../testing/builder.ts';
import { formatWait } from './rate-limit.ts';

const app = testApp();
const START = Date.parse('2026-11-18T12:00:00.000Z');
const at = (seconds: number) => app.setTime(new Date(START + seconds * 1000).toISOString());
const HOME = '192.0.2.1';

beforeEach(() => at(0));

async function logInFrom(remoteAddress: string, email: string, password: string) {
  const response = await app.fastify.inject({
    method: 'POST',
    url: '/v1/auth',
    remoteAddress,
    payload: { email, password },
  });
  return { status: response.statusCode, retryAfter: Number(response.headers['retry-after'] ?? 0) };
}

/** Failed attempts, each from another address. */
const guess = (email: string, times: number) =>
  Promise.all(
    Array.from({ length: times }, (_, index) => logInFrom(`198.51.100.${index}`, email, `guess number ${index}`)),
  );

describe('an address', () => {
  const limit = accessCalls.logIn.rateLimits?.find(({ by }) => by === 'address')?.tries ?? 0;
  const tryAll = (addressOf: (n: number) => string) =>
    Promise.all(
      Array.from({ length: limit + 2 }, (_, n) => logInFrom(addressOf(n), `unknown-${n}@school.example`, 'x')),
    );

  test.each([
    ['of IPv6 counts as its site’s /48', (n: number) => `2001:db8:1:${n.toString(16)}::1`],
    [
      'of IPv4 counts as the same when written as an IPv4-mapped IPv6 address',
      (n: number) => (n % 2 ? '::ffff:192.0.2.77' : '192.0.2.77'),
    ],
  ])('%s', async (_what, addressOf) => {
    const statuses = (await tryAll(addressOf)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  test('an address of another site is counted separately', async () => {
    const answers = await tryAll((n) => `2001:db8:${(0x100 + n).toString(16)}::1`);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(0);
  });
});

describe('requests that cannot be parsed', () => {
  test.each([
    ['that lack a field', '{}'],
    ['that are no JSON', '{'],
    ['that hold a very long text', JSON.stringify({ email: 'a'.repeat(100_000), password: 'x' })],
  ])('%s count against the limit of their address', async (what, payload) => {
    const limit = accessCalls.logIn.rateLimits?.find(({ by }) => by === 'address')?.tries ?? 0;
    const remoteAddress = `203.0.113.${100 + what.length}`;
    const statuses: number[] = [];
    for (let n = 0; n <= limit; n += 1) {
      const { statusCode } = await app.fastify.inject({
        method: 'POST',
        url: '/v1/auth',
        remoteAddress,
        payload,
        headers: { 'content-type': 'application/json' },
      });
      statuses.push(statusCode);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('a clock that is corrected', () => {
  const DAY_S = 86_400;

  test('an earlier clock locks no account for longer than a window', async () => {
    const { teacher } = await app.build.school();
    at(DAY_S);
    await guess(teacher.email, 12);
    expect((await logInFrom(HOME, teacher.email, PASSWORD)).status).toBe(429);
    at(0);
    expect((await logInFrom(HOME, teacher.email, PASSWORD)).status).toBe(200);
  });

  test('an earlier clock starts a window that counts like any other', async () => {
    const { teacher } = await app.build.school();
    at(DAY_S);
    await guess(teacher.email, 12);
    at(0);
    expect((await guess(teacher.email, 15)).filter(({ status }) => status === 429)).toHaveLength(5);
  });

  test('a clock that is a minute behind starts no new window, so that a slow request cannot reset the count', async () => {
    const { teacher } = await app.build.school();
    at(60);
    await guess(teacher.email, 10);
    at(0);
    expect((await logInFrom(HOME, teacher.email, PASSWORD)).status).toBe(429);
  });
});

describe('the end of a limit', () => {
  test.each([
    [1, '1 second'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [61, '2 minutes'],
    [3540, '59 minutes'],
    [3541, '1 hour'],
    [3601, '2 hours'],
    [86_400, '24 hours'],
  ])('a wait of %i seconds is %s', (seconds, text) => expect(formatWait(seconds)).toBe(text));

  test('a 31st request to invite in an hour names the limit and the minutes that are left, also a second time', async () => {
    const school = await app.build.emptySchool();
    const send = () =>
      app.call(inviteCalls.sendInvites, {
        params: { id: school.id },
        token: school.admin.token,
        body: { email: [''] },
      });
    for (let n = 0; n < 30; n += 1) expect((await send()).status).toBe(200);
    for (const [second, wait] of [
      [1500, '35 minutes'],
      [1501, '35 minutes'],
      [3599, '1 second'],
    ] as const) {
      at(second);
      const { status, error, headers } = await send();
      expect([status, Number(headers['retry-after']), error.error]).toEqual([
        429,
        3600 - second,
        `You have done this 30 times in 1 hour, which is the limit. Try again in ${wait}.`,
      ]);
    }
    at(3600);
    expect((await send()).status).toBe(200);
  });

  test('wrong passwords for an account say how long to wait, and not that the owner sent them', async () => {
    const { teacher } = await app.build.school();
    await guess(teacher.email, 10);
    at(90);
    const response = await app.fastify.inject({
      method: 'POST',
      url: '/v1/auth',
      remoteAddress: HOME,
      payload: { email: teacher.email, password: PASSWORD },
    });
    expect(response.json()).toMatchObject({ error: 'Too many attempts. Wait 4 minutes, then try again.' });
  });
});
