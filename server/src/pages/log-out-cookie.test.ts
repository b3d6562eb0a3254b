import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { PASSWORD } from '../testing/builder.ts';
import { FORM, webPortal } from '../testing/web-portal.ts';

const app = testApp();
const portal = webPortal(app);

describe('the cookie of a log out that did not arrive', () => {
  const BOTH = ['log-out=; Max-Age=0', 'session=; Max-Age=0'];

  test('the log-out cookie ends the session at the next call of the API', async () => {
    const { token, cookie } = await portal.newSession();
    const answer = await portal.ask('GET', { cookie: `log-out=1; ${cookie}` }, '/v1/users/me');
    expect(answer.status).toBe(401);
    expect(answer.cookies).toEqual(BOTH);
    expect(await portal.isValid(token)).toBe(false);
  });

  test('the log-out cookie ends the session at the next page, also one that a link on another site opens', async () => {
    for (const site of ['none', 'cross-site']) {
      const { token, cookie } = await portal.newSession();
      const answer = await portal.ask('GET', { cookie: `${cookie}; log-out=1`, 'sec-fetch-site': site }, '/pupils');
      expect(answer.body).toContain('<p>Guest</p>');
      expect(answer.cookies).toEqual(BOTH);
      expect(await portal.isValid(token)).toBe(false);
    }
  });

  test('the log-out cookie becomes a note to the next page, which ends no session, when the log out is done', async () => {
    const { cookie } = await portal.newSession();
    const { cookies } = await portal.ask('POST', { ...FORM, cookie: `${cookie}; log-out=1` });
    expect(cookies).toContain('log-out=done; Max-Age=60');
    const next = await portal.newSession();
    const answer = await portal.ask('GET', { cookie: `${next.cookie}; log-out=done` }, '/v1/users/me');
    expect([answer.status, answer.cookies]).toEqual([200, []]);
  });

  test('the log-out cookie does nothing in a form on another site', async () => {
    const { token, cookie } = await portal.newSession();
    const headers = { cookie: `${cookie}; log-out=1`, origin: 'https://evil.example' };
    expect(await portal.ask('POST', headers, '/v1/users/me')).toMatchObject({ status: 401, cookies: [] });
    expect(await portal.isValid(token)).toBe(true);
  });

  test('a login clears the log-out cookie, ends the earlier session and starts one that stays', async () => {
    const { email, token, cookie } = await portal.newSession();
    const { headers } = await portal.inject({
      method: 'POST',
      url: '/v1/auth',
      payload: { email, password: PASSWORD },
      headers: { cookie: `${cookie}; log-out=1`, origin: app.services.config.publicUrl },
    });
    // What a browser has stored after these, in order.
    const jar = new Map(
      [headers['set-cookie'] ?? []].flat().map((set) => set.split(';')[0]!.split('=') as [string, string]),
    );
    expect(jar.get('log-out')).toBe('');
    expect(await portal.isValid(jar.get('session')!)).toBe(true);
    expect(await portal.isValid(token)).toBe(false);
  });

  test('the log-out cookie leaves the token of a program', async () => {
    const { token, cookie } = await portal.newSession();
    const program = await portal.newSession();
    const headers = { cookie: `${cookie}; log-out=1`, authorization: `Bearer ${program.token}` };
    expect((await portal.ask('GET', headers, '/v1/users/me')).status).toBe(200);
    expect(await portal.isValid(token)).toBe(false);
  });

  test('the log-out cookie makes a file uncacheable, because its reply clears cookies', async () => {
    const { token, cookie } = await portal.newSession();
    expect((await portal.ask('GET', { cookie }, '/assets/app.js')).cache).toMatch(/^public/);
    const answer = await portal.ask('GET', { cookie: `${cookie}; log-out=1` }, '/assets/app.js');
    expect(answer).toMatchObject({
      status: 200,
      cookies: BOTH,
      cache: 'no-store',
    });
    expect(await portal.isValid(token)).toBe(false);
  });
});
