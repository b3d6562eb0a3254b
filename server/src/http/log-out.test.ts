import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessCalls } from '#contract/calls/access.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { connectServer } from '../database/database.ts';
import { testApp } from '../testing/app.ts';
import { PASSWORD } from '../testing/builder.ts';
import { testSettings } from '../testing/test-settings.ts';
import { readTemplate } from './page-template.ts';
import { MAX_WAITING_REQUESTS } from './shed-load.ts';
import type { WebApp } from './web-app.ts';

const app = testApp();
const PAGE = { title: 'Page', html: '<p>Page</p>', state: '', module: undefined };
/** Renders for whoever has a session, as the web app does. */
const web: WebApp = {
  folder: mkdtempSync(join(tmpdir(), 'web-')),
  template: readTemplate(
    '<html><head><title>T</title></head><body><div id="root"></div></body></html>',
    '{}',
    {},
    String,
  ),
  scriptHashes: [],
  patternOf: (path) => path,
  safeRedirect: (wanted) => wanted ?? '/',
  unavailablePage: PAGE,
  busyPage: PAGE,
  renderFilePage: async () => PAGE,
  renderPage: async ({ fetch }) =>
    (await fetch('/v1/users/me')).status === 200 ? { kind: 'page', ...PAGE } : { kind: 'guest' },
  renderGuestPage: async () => ({ kind: 'page', ...PAGE, html: '<p>Guest</p>', description: '' }),
};
let portal: FastifyInstance;
let ORIGIN: string;
beforeAll(async () => {
  mkdirSync(join(web.folder, 'assets'));
  writeFileSync(join(web.folder, 'assets/app.js'), '');
  portal = await createApp(app.services, web);
  ORIGIN = app.services.config.publicUrl;
});
afterAll(async () => {
  await portal.close();
  rmSync(web.folder, { recursive: true });
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
type Method = 'GET' | 'HEAD' | 'POST';
async function ask(method: Method, headers: Record<string, string> = {}, url = '/logout', on = portal) {
  const { statusCode: status, headers: reply, body } = await on.inject({ method, url, headers });
  const cookies = [reply['set-cookie'] ?? []].flat().map((cookie) => cookie.split(/;(?! Max-Age)/)[0]);
  return { status, to: reply.location, cookies, body, cache: reply['cache-control'] };
}
const CLEARED = 'session=; Max-Age=0';
const DONE = { status: 303, to: '/login', cache: 'no-store' };
const isValid = async (token: string) => (await app.call(accessCalls.getMe, { token })).status === 200;
const newSession = async () => {
  const { admin } = await app.build.school();
  return { ...admin, cookie: `session=${admin.token}` };
};

describe('POST /logout', () => {
  test('ends the session, clears its cookie and redirects to the login', async () => {
    const { token, cookie } = await newSession();
    const answer = await ask('POST', { ...FORM, cookie });
    expect(answer).toMatchObject(DONE);
    expect(answer.cookies).toContain(CLEARED);
    expect(await isValid(token)).toBe(false);
  });

  test('passes on why the person comes to the login', async () => {
    const { cookie } = await newSession();
    expect((await ask('POST', { ...FORM, cookie }, '/logout?redirect=%2Fpupils')).to).toBe('/login?redirect=%2Fpupils');
    expect((await ask('POST', { ...FORM, cookie }, '/logout?redirect=/%0d%0aset-cookie:a=b')).to).toMatch(
      /^\/login\?[^\r\n]*$/,
    );
  });

  test('rejects a form on another site with 403 and leaves the session', async () => {
    const { token, cookie } = await newSession();
    for (const from of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: ORIGIN },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      {},
    ]) {
      const { 'sec-fetch-site': _, ...form } = FORM;
      const answer = await ask('POST', { ...form, cookie: `${cookie}; log-out=1`, ...(from as object) });
      expect({ from, status: answer.status, cookies: answer.cookies }).toEqual({ from, status: 403, cookies: [] });
    }
    expect(await isValid(token)).toBe(true);
  });

  test('accepts the portal’s own origin from a browser without fetch metadata, and a request without a body', async () => {
    const { token, cookie } = await newSession();
    expect(await ask('POST', { origin: ORIGIN, cookie })).toMatchObject(DONE);
    expect(await isValid(token)).toBe(false);
  });

  test('redirects to the login without a cookie, with one that is over, and when it is pressed twice', async () => {
    const { cookie } = await newSession();
    expect(await ask('POST', FORM)).toMatchObject(DONE);
    expect(await ask('POST', { ...FORM, cookie: 'session=forged' })).toMatchObject(DONE);
    const both = await Promise.all([ask('POST', { ...FORM, cookie }), ask('POST', { ...FORM, cookie })]);
    expect(both).toMatchObject([DONE, DONE]);
    expect((await ask('POST', { ...FORM, cookie })).cookies).toContain(CLEARED);
  });

  test('ends one session in two tabs, and leaves the sessions of other devices', async () => {
    const { email, token, cookie } = await newSession();
    const other = (await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } })).reply.meta.token;
    await ask('POST', { ...FORM, cookie });
    expect(await ask('POST', { ...FORM, cookie })).toMatchObject(DONE);
    expect([await isValid(token), await isValid(other)]).toEqual([false, true]);
  });

  test('logs out a user who must choose a password first', async () => {
    const { id, token, cookie } = await newSession();
    await app.database.kysely.updateTable('users').set({ require_password_reset: true }).where('id', '=', id).execute();
    expect(await ask('POST', { ...FORM, cookie })).toMatchObject(DONE);
    expect(await isValid(token)).toBe(false);
  });

  test('ends a support session and leaves the operator’s own', async () => {
    const operator = await app.build.operator();
    const { id, token: own } = await newSession();
    const body = { user_id: id, reason: 'Ticket 4711' };
    const { code } = (await app.call(operatorCalls.mintImpersonation, { token: operator.token, body })).reply;
    const { token } = (await app.call(operatorCalls.impersonate, { body: { code } })).reply.meta;
    expect(await ask('POST', { ...FORM, cookie: `session=${token}` })).toMatchObject(DONE);
    expect([await isValid(token), await isValid(own), await isValid(operator.token)]).toEqual([false, true, true]);
  });

  test('is answered while the portal is busy', async () => {
    const { token, cookie } = await newSession();
    const rendered = Promise.withResolvers<Awaited<ReturnType<WebApp['renderPage']>>>();
    const busy = await createApp(app.services, { ...web, renderPage: () => rendered.promise });
    const waiting = Array.from({ length: MAX_WAITING_REQUESTS }, () => ask('GET', { cookie }, '/pupils', busy));
    expect((await ask('GET', { cookie }, '/pupils', busy)).status).toBe(503);
    expect(await ask('POST', { ...FORM, cookie }, '/logout', busy)).toMatchObject(DONE);
    expect(await isValid(token)).toBe(false);
    rendered.resolve({ kind: 'page', ...PAGE });
    await Promise.all(waiting);
    await busy.close();
  });
});

describe('GET /logout', () => {
  test.each(['none', 'same-origin'])('ends the session when Sec-Fetch-Site is %s', async (site) => {
    const { token, cookie } = await newSession();
    const answer = await ask('GET', { cookie, 'sec-fetch-site': site }, '/logout?redirect=%2Fpupils');
    expect(answer).toMatchObject({ ...DONE, to: '/login?redirect=%2Fpupils' });
    expect(answer.cookies).toContain(CLEARED);
    expect(await isValid(token)).toBe(false);
  });

  test.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, {}])(
    'asks first when the request has %j',
    async (headers) => {
      const { token, cookie } = await newSession();
      const answer = await ask('GET', { cookie, ...(headers as object) });
      expect(answer).toMatchObject({ status: 200, cookies: [], cache: 'private, no-store' });
      expect(await isValid(token)).toBe(true);
    },
  );

  test('redirects a guest to the login', async () => {
    expect(await ask('GET')).toMatchObject(DONE);
  });

  test.each([
    ['GET', { 'sec-purpose': 'prefetch' }, 503],
    ['GET', { 'sec-purpose': 'prefetch;prerender' }, 503],
    ['GET', { purpose: 'prefetch' }, 503],
    ['GET', { 'x-moz': 'prefetch' }, 503],
    ['HEAD', {}, 200],
  ] as const)('leaves the session when a browser only looks: %s %j', async (method, headers, status) => {
    const { token, cookie } = await newSession();
    const answer = await ask(method, { cookie, 'sec-fetch-site': 'same-origin', ...headers });
    expect({ status: answer.status, cookies: answer.cookies }).toEqual({ status, cookies: [] });
    expect(await isValid(token)).toBe(true);
  });
});

describe('the cookie of a log out that did not arrive', () => {
  const BOTH = ['log-out=; Max-Age=0', CLEARED];

  test('ends the session at the next call of the API', async () => {
    const { token, cookie } = await newSession();
    const answer = await ask('GET', { cookie: `log-out=1; ${cookie}` }, '/v1/users/me');
    expect(answer.status).toBe(401);
    expect(answer.cookies.toSorted()).toEqual(BOTH);
    expect(await isValid(token)).toBe(false);
  });

  test('ends the session at the next page, also one that a link on another site opens', async () => {
    for (const site of ['none', 'cross-site']) {
      const { token, cookie } = await newSession();
      const answer = await ask('GET', { cookie: `${cookie}; log-out=1`, 'sec-fetch-site': site }, '/pupils');
      expect(answer.body).toContain('<p>Guest</p>');
      expect(answer.cookies.toSorted()).toEqual(BOTH);
      expect(await isValid(token)).toBe(false);
    }
  });

  test('does nothing in a form on another site, whose session cookie does not count either', async () => {
    const { token, cookie } = await newSession();
    const headers = { cookie: `${cookie}; log-out=1`, origin: 'https://evil.example' };
    expect(await ask('POST', headers, '/v1/users/me')).toMatchObject({ status: 401, cookies: [] });
    expect(await isValid(token)).toBe(true);
  });

  test('is cleared by a login, which ends the earlier session and starts one that stays', async () => {
    const { email, token, cookie } = await newSession();
    const login = (headers: Record<string, string>, url: string, payload: object | string) =>
      portal.inject({
        method: 'POST',
        url,
        payload,
        headers: { cookie: `${cookie}; log-out=1`, origin: ORIGIN, ...headers },
      });
    for (const { headers } of [
      await login({}, '/v1/auth', { email, password: PASSWORD }),
      await login(FORM, '/login', new URLSearchParams({ email, password: PASSWORD }).toString()),
    ]) {
      // What a browser has stored after these, in order.
      const jar = new Map(
        [headers['set-cookie'] ?? []].flat().map((set) => set.split(';')[0]!.split('=') as [string, string]),
      );
      expect(jar.get('log-out')).toBe('');
      expect(await isValid(jar.get('session')!)).toBe(true);
      expect(await isValid(token)).toBe(false);
    }
  });

  test('leaves the token of a program', async () => {
    const { token, cookie } = await newSession();
    const program = await newSession();
    const headers = { cookie: `${cookie}; log-out=1`, authorization: `Bearer ${program.token}` };
    expect((await ask('GET', headers, '/v1/users/me')).status).toBe(200);
    expect(await isValid(token)).toBe(false);
  });

  test('makes a file that is cached for everyone uncacheable, because its reply clears cookies', async () => {
    const { token, cookie } = await newSession();
    expect((await ask('GET', { cookie }, '/assets/app.js')).cache).toMatch(/^public/);
    const answer = await ask('GET', { cookie: `${cookie}; log-out=1` }, '/assets/app.js');
    expect({ ...answer, cookies: answer.cookies.toSorted() }).toMatchObject({
      status: 200,
      cookies: BOTH,
      cache: 'no-store',
    });
    expect(await isValid(token)).toBe(false);
  });
});

describe('without a database', () => {
  test('POST /logout clears the cookie and redirects to the login', async () => {
    // Nothing listens on the port.
    const database = connectServer('postgres://portal@127.0.0.1:1/postgres', { connections: 2 });
    const away = await createApp({ config: readConfig(testSettings), database, clock: app.services.clock }, web);
    for (const [method, headers] of [
      ['POST', FORM],
      ['GET', { 'sec-fetch-site': 'none' }],
    ] as const) {
      const answer = await ask(method, { ...headers, cookie: 'session=any' }, '/logout', away);
      expect(answer).toMatchObject(DONE);
      expect(answer.cookies).toContain(CLEARED);
    }
    await away.close();
    await database.close();
  });

  if (inject('template').kind === 'server')
    test('POST /logout does not wait for a database that does not answer, which ends the session later', async () => {
      const { token, cookie } = await newSession();
      const answer = await app.database.kysely.transaction().execute(async (tx) => {
        await sql`lock table sessions in share row exclusive mode`.execute(tx);
        return ask('POST', { ...FORM, cookie });
      });
      expect(answer).toMatchObject(DONE);
      expect(answer.cookies).toContain(CLEARED);
      await expect.poll(() => isValid(token)).toBe(false);
    });
});
