import { accessCalls } from '#contract/calls/access.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../testing/builder.ts';

const PUBLIC_URL = 'https://portal.test.example';
const app = testApp({ PUBLIC_URL });
let school: BuiltSchool;
beforeAll(async () => {
  school = await app.build.school();
});

/** Headers of a request from one of the portal's own pages. */
const OWN = { 'sec-fetch-site': 'same-origin' };
const cookieOf = (headers: Record<string, unknown>): string => String([headers['set-cookie'] ?? ''].flat()[0]);
const pairOf = (headers: Record<string, unknown>): string => cookieOf(headers).split(';')[0] ?? '';
const signIn = async (headers: Record<string, string> = OWN) =>
  app.call(accessCalls.logIn, { body: { email: school.admin.email, password: PASSWORD }, headers });
const rename = (headers: Record<string, string>) =>
  app.call(accessCalls.updateMe, { body: { first_name: 'Renamed' }, headers });

describe('the session cookie', () => {
  test('a login on the portal’s own pages sets the session cookie, out of reach of scripts and subdomains', async () => {
    const { headers, reply } = await signIn();
    expect(cookieOf(headers)).toBe(
      `__Host-session=${reply.meta.token}; Max-Age=7776000; Path=/; HttpOnly; Secure; SameSite=Lax`,
    );
    const me = await app.call(accessCalls.getMe, { headers: { cookie: pairOf(headers) } });
    expect(me.reply.user.id).toBe(school.admin.id);
  });

  test('registration and a set-up link set the session cookie too', async () => {
    const person = { first_name: 'Ada', last_name: 'Cookie', email: 'ada-cookie@test.example', password: PASSWORD };
    expect(cookieOf((await app.call(accessCalls.register, { body: person, headers: OWN })).headers)).toMatch(
      /^__Host-session=./,
    );
    const token = await app.build.link('set_up', school.teacher.id);
    const opened = await app.call(passwordCalls.exchangeSetUpLink, { body: { token }, headers: OWN });
    expect(pairOf(opened.headers)).toBe(`__Host-session=${opened.reply.meta.token}`);
  });

  test('a program, another site and a pupil’s login get no session cookie', async () => {
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ])
      expect(cookieOf((await signIn(headers as Record<string, string>)).headers)).toBe('');
    const body = { username: school.unplaced.username, password: PASSWORD };
    expect(cookieOf((await app.call(readingAppCalls.logInPupil, { body, headers: OWN })).headers)).toBe('');
  });

  test('the session cookie authorises changes only from the portal’s own pages, by Sec-Fetch-Site or, in old browsers, Origin', async () => {
    const cookie = pairOf((await signIn()).headers);
    for (const [headers, status] of [
      [OWN, 200],
      [{ origin: PUBLIC_URL }, 200],
      [{}, 401],
      [{ 'sec-fetch-site': 'same-site' }, 401],
      [{ 'sec-fetch-site': 'cross-site' }, 401],
      [{ 'sec-fetch-site': 'none' }, 401],
      [{ 'sec-fetch-site': 'same-site', origin: PUBLIC_URL }, 401],
      [{ origin: 'https://evil.example' }, 401],
      [{ origin: 'null' }, 401],
      [{ origin: 'https://portal.test.example.evil.example' }, 401],
    ] as [Record<string, string>, number][]) {
      const answer = await rename({ cookie, ...headers });
      expect({ headers, status: answer.status }).toEqual({ headers, status });
      // A form on another site cannot log the user out.
      if (status === 401) expect(cookieOf(answer.headers)).toBe('');
    }
    expect((await app.call(accessCalls.getMe, { headers: { cookie } })).status).toBe(200);
  });

  test('logging out clears the session cookie, and so does a call after its session has ended', async () => {
    const cookie = pairOf((await signIn()).headers);
    const out = await app.call(accessCalls.logOut, { headers: { cookie, ...OWN } });
    expect(cookieOf(out.headers)).toMatch(/^__Host-session=; Max-Age=0;/);
    const late = await app.call(accessCalls.getMe, { headers: { cookie } });
    expect({ status: late.status, error: late.error.error }).toEqual({ status: 401, error: 'Unauthorised' });
    expect(cookieOf(late.headers)).toMatch(/^__Host-session=; Max-Age=0;/);
  });

  test('a log out that did not arrive ends the session with the next request, and no subdomain can request that', async () => {
    const cookie = pairOf((await signIn()).headers);
    const statusWith = async (request: string) =>
      (await app.call(accessCalls.getMe, { headers: { cookie: `${cookie}; ${request}` } })).status;
    expect(await statusWith('log-out=1')).toBe(200);
    expect(await statusWith('__Host-log-out=1')).toBe(401);
    expect((await app.call(accessCalls.getMe, { headers: { cookie } })).status).toBe(401);
  });

  test.each([
    ['__Host-session='],
    ['__Host-session=forged'],
    ['session=AAAA'],
    [`__Host-session=${'x'.repeat(4000)}`],
    [';;=;'],
    ['__Host-session=%E0%A4%A'],
  ])('the session cookie %j gives no access', async (cookie) => {
    expect((await app.call(accessCalls.getMe, { headers: { cookie } })).status).toBe(401);
  });

  test('a session cookie with a pupil’s token gives no access', async () => {
    const cookie = `__Host-session=${school.unplaced.token}`;
    expect((await app.call(accessCalls.getMe, { headers: { cookie } })).status).toBe(401);
  });

  test('a request with a wrong token is rejected although its session cookie is valid', async () => {
    const cookie = pairOf((await signIn()).headers);
    expect((await app.call(accessCalls.getMe, { headers: { cookie }, token: 'not-a-token' })).status).toBe(401);
  });
});

describe('plain http', () => {
  const local = testApp({ PUBLIC_URL: 'http://localhost:8080' });
  test('the session cookie on plain http has a plain name and is not Secure, which browsers reject there', async () => {
    const built = await local.build.school();
    const body = { email: built.admin.email, password: PASSWORD };
    const { headers } = await local.call(accessCalls.logIn, { body, headers: { origin: 'http://localhost:8080' } });
    expect(cookieOf(headers)).toMatch(/^session=[\w-]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
  });
});

describe('a proxy with its own login', () => {
  const basic = { authorization: `Basic ${Buffer.from('staging:secret').toString('base64')}` };

  test('the login of a proxy leaves the session in the cookie valid', async () => {
    const cookie = pairOf((await signIn()).headers);
    const { status, headers } = await app.call(accessCalls.getMe, { headers: { cookie, ...basic } });
    expect({ status, cookie: cookieOf(headers) }).toEqual({ status: 200, cookie: '' });
  });

  test('the login of a proxy gives no access without a session cookie', async () => {
    expect((await app.call(accessCalls.getMe, { headers: basic })).status).toBe(401);
  });
});

describe('a rejected call', () => {
  test.each(['Bearer wrong', 'Bearer'])(
    'a call rejected for its header `%s` leaves the valid session cookie',
    async (authorization) => {
      const cookie = pairOf((await signIn()).headers);
      const answer = await app.call(accessCalls.getMe, { headers: { cookie, authorization } });
      expect({ status: answer.status, cookie: cookieOf(answer.headers) }).toEqual({ status: 401, cookie: '' });
    },
  );

  test('a rejected call for pupils leaves the valid session cookie of staff', async () => {
    const cookie = pairOf((await signIn()).headers);
    const answer = await app.call(readingAppCalls.listPupilBooks, { headers: { cookie } });
    expect({ status: answer.status, cookie: cookieOf(answer.headers) }).toEqual({ status: 401, cookie: '' });
  });
});
