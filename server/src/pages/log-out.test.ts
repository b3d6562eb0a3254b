import { accessCalls } from '#contract/calls/access.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { connectServer } from '../database/database.ts';
import { testApp } from '../testing/app.ts';
import { PASSWORD } from '../testing/builder.ts';
import { testSettings } from '../testing/test-settings.ts';
import { FORM, webPortal } from '../testing/web-portal.ts';
import { MAX_WAITING_REQUESTS } from '../http/shed-load.ts';
import type { WebApp } from './web-app.ts';

const app = testApp();
const portal = webPortal(app);

const CLEARED = 'session=; Max-Age=0';
const DONE = { status: 303, to: '/login', cache: 'no-store' };

describe('POST /logout', () => {
  test('POST /logout ends the session, clears its cookie and redirects to the login', async () => {
    const { token, cookie } = await portal.newSession();
    const answer = await portal.ask('POST', { ...FORM, cookie });
    expect(answer).toMatchObject(DONE);
    expect(answer.cookies).toContain(CLEARED);
    expect(await portal.isValid(token)).toBe(false);
  });

  test('POST /logout passes on why the person comes to the login', async () => {
    const { cookie } = await portal.newSession();
    expect((await portal.ask('POST', { ...FORM, cookie }, '/logout?redirect=%2Fpupils')).to).toBe(
      '/login?redirect=%2Fpupils',
    );
    expect((await portal.ask('POST', { ...FORM, cookie }, '/logout?redirect=/%0d%0aset-cookie:a=b')).to).toMatch(
      /^\/login\?[^\r\n]*$/,
    );
  });

  test('a log out removes the invitation that someone chose to accept, so that it does not meet the next person', async () => {
    const { cookie } = await portal.newSession();
    for (const answer of [
      await portal.ask('POST', { ...FORM, cookie: `${cookie}; invite=any` }),
      await portal.ask('GET', { cookie: `${cookie}; invite=any`, 'sec-fetch-site': 'none' }),
      await portal.ask('GET', { cookie: `${cookie}; log-out=1; invite=any` }, '/v1/users/me'),
    ])
      expect(answer.cookies).toContain('invite=; Max-Age=0');
  });

  test('POST /logout rejects a form on another site with 403 and leaves the session', async () => {
    const { token, cookie } = await portal.newSession();
    for (const from of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: app.services.config.publicUrl },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      {},
    ]) {
      const { 'sec-fetch-site': _, ...form } = FORM;
      const answer = await portal.ask('POST', { ...form, cookie: `${cookie}; log-out=1`, ...(from as object) });
      expect({ from, status: answer.status, cookies: answer.cookies }).toEqual({ from, status: 403, cookies: [] });
    }
    expect(await portal.isValid(token)).toBe(true);
  });

  test('POST /logout accepts the portal’s own origin from a browser without fetch metadata', async () => {
    const { token, cookie } = await portal.newSession();
    expect(await portal.ask('POST', { origin: app.services.config.publicUrl, cookie })).toMatchObject(DONE);
    expect(await portal.isValid(token)).toBe(false);
  });

  test('POST /logout redirects to the login without a cookie, with an ended session, and when pressed twice', async () => {
    const { cookie } = await portal.newSession();
    expect(await portal.ask('POST', FORM)).toMatchObject(DONE);
    expect(await portal.ask('POST', { ...FORM, cookie: 'session=forged' })).toMatchObject(DONE);
    const both = await Promise.all([portal.ask('POST', { ...FORM, cookie }), portal.ask('POST', { ...FORM, cookie })]);
    expect(both).toMatchObject([DONE, DONE]);
    expect((await portal.ask('POST', { ...FORM, cookie })).cookies).toContain(CLEARED);
  });

  test('POST /logout in two tabs ends one session, and leaves those of other devices', async () => {
    const { email, token, cookie } = await portal.newSession();
    const other = (await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } })).reply.meta.token;
    await portal.ask('POST', { ...FORM, cookie });
    expect(await portal.ask('POST', { ...FORM, cookie })).toMatchObject(DONE);
    expect([await portal.isValid(token), await portal.isValid(other)]).toEqual([false, true]);
  });

  test('POST /logout logs out a user who must choose a password first', async () => {
    const { id, token, cookie } = await portal.newSession();
    await app.database.kysely.updateTable('users').set({ require_password_reset: true }).where('id', '=', id).execute();
    expect(await portal.ask('POST', { ...FORM, cookie })).toMatchObject(DONE);
    expect(await portal.isValid(token)).toBe(false);
  });

  test('POST /logout ends a support session and leaves the operator’s own', async () => {
    const operator = await app.build.operator();
    const { id, token: own } = await portal.newSession();
    const body = { user_id: id, reason: 'Ticket 4711' };
    const { code } = (await app.call(operatorCalls.mintImpersonation, { token: operator.token, body })).reply;
    const { token } = (await app.call(operatorCalls.impersonate, { body: { code } })).reply.meta;
    expect(await portal.ask('POST', { ...FORM, cookie: `session=${token}` })).toMatchObject(DONE);
    expect([await portal.isValid(token), await portal.isValid(own), await portal.isValid(operator.token)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('POST /logout is answered while the portal is busy', async () => {
    const { token, cookie } = await portal.newSession();
    const rendered = Promise.withResolvers<Awaited<ReturnType<WebApp['renderPage']>>>();
    const busy = await createApp(app.services, { ...portal.web, renderPage: () => rendered.promise });
    const waiting = Array.from({ length: MAX_WAITING_REQUESTS }, () => portal.ask('GET', { cookie }, '/pupils', busy));
    expect((await portal.ask('GET', { cookie }, '/pupils', busy)).status).toBe(503);
    expect(await portal.ask('POST', { ...FORM, cookie }, '/logout', busy)).toMatchObject(DONE);
    expect(await portal.isValid(token)).toBe(false);
    rendered.resolve({ kind: 'guest' });
    await Promise.all(waiting);
    await busy.close();
  });
});

describe('GET /logout', () => {
  test.each(['none', 'same-origin'])('GET /logout ends the session when Sec-Fetch-Site is %s', async (site) => {
    const { token, cookie } = await portal.newSession();
    const answer = await portal.ask('GET', { cookie, 'sec-fetch-site': site }, '/logout?redirect=%2Fpupils');
    expect(answer).toMatchObject({ ...DONE, to: '/login?redirect=%2Fpupils' });
    expect(answer.cookies).toContain(CLEARED);
    expect(await portal.isValid(token)).toBe(false);
  });

  test.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, {}])(
    'asks first when the request has %j',
    async (headers) => {
      const { token, cookie } = await portal.newSession();
      const answer = await portal.ask('GET', { cookie, ...(headers as object) });
      expect(answer).toMatchObject({ status: 200, cookies: [], cache: 'private, no-store' });
      expect(await portal.isValid(token)).toBe(true);
    },
  );

  test('GET /logout redirects a guest to the login', async () => {
    expect(await portal.ask('GET')).toMatchObject(DONE);
  });

  test.each([
    ['GET', { 'sec-purpose': 'prefetch' }, 503],
    ['GET', { 'sec-purpose': 'prefetch;prerender' }, 503],
    ['GET', { purpose: 'prefetch' }, 503],
    ['GET', { 'x-moz': 'prefetch' }, 503],
    ['HEAD', {}, 200],
  ] as const)('leaves the session when a browser only looks: %s %j', async (method, headers, status) => {
    const { token, cookie } = await portal.newSession();
    const answer = await portal.ask(method, { cookie, 'sec-fetch-site': 'same-origin', ...headers });
    expect({ status: answer.status, cookies: answer.cookies }).toEqual({ status, cookies: [] });
    expect(await portal.isValid(token)).toBe(true);
  });
});

describe('without a database', () => {
  test('a log out clears the cookies: by the form, by the address, and with the next page after one that did not arrive', async () => {
    // Nothing listens on the port.
    const database = connectServer('postgres://portal@127.0.0.1:1/postgres', { connections: 2 });
    const away = await createApp({ config: readConfig(testSettings), database, clock: app.services.clock }, portal.web);
    for (const [method, headers] of [
      ['POST', FORM],
      ['GET', { 'sec-fetch-site': 'none' }],
    ] as const) {
      const answer = await portal.ask(method, { ...headers, cookie: 'session=any' }, '/logout', away);
      expect(answer).toMatchObject(DONE);
      expect(answer.cookies).toContain(CLEARED);
    }
    const page = await portal.ask('GET', { cookie: 'session=any; log-out=1' }, '/pupils', away);
    expect(page.body).toContain('<p>Guest</p>');
    expect(page.cookies).toContain(CLEARED);
    await away.close();
    await database.close();
  });

  if (inject('template').kind === 'server')
    test('POST /logout does not wait for a database that does not answer, which ends the session later', async () => {
      const { token, cookie } = await portal.newSession();
      const answer = await app.database.kysely.transaction().execute(async (tx) => {
        await sql`lock table sessions in share row exclusive mode`.execute(tx);
        return portal.ask('POST', { ...FORM, cookie });
      });
      expect(answer).toMatchObject(DONE);
      expect(answer.cookies).toContain(CLEARED);
      await expect.poll(() => portal.isValid(token)).toBe(false);
    });
});
