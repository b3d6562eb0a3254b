import type { GuestDocument } from '#contract/pages.ts';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { FORM, webPortal } from '../testing/web-portal.ts';

const app = testApp();
const portal = webPortal(app);
portal.web.formPaths = ['/form'];

const DOCUMENT = {
  kind: 'document',
  title: 'Page',
  html: '',
  status: 200,
  description: '',
  isSignedIn: false,
} as const;

/** Sends the form of a page without the app, whose reply is given. */
async function submit(reply: GuestDocument, headers: Record<string, string> = {}) {
  portal.web.submitForm = async () => reply;
  return portal.inject({ method: 'POST', url: '/form', headers: { ...FORM, ...headers } });
}

const cookiesOf = ({ headers }: Awaited<ReturnType<typeof submit>>) =>
  [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split('; Path')[0]);

describe('the form of a page without the app', () => {
  test('a form logs the visitor out in all tabs and keeps the invitation that they chose', async () => {
    const { token, cookie } = await portal.newSession();
    const reply = { kind: 'redirect', to: '/login', keep: { invite: 'new' }, endsSession: true } as const;
    const answer = await submit(reply, { cookie: `${cookie}; invite=old` });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/login']);
    // A browser keeps the last value of a cookie.
    expect(cookiesOf(answer)).toEqual([
      'session=; Max-Age=0',
      'invite=; Max-Age=0',
      'log-out=done; Max-Age=60',
      'invite=new; Max-Age=86400',
    ]);
    expect(await portal.isValid(token)).toBe(false);
  });

  test('a form removes the invitation that was kept', async () => {
    const reply = { kind: 'redirect', to: '/', keep: { invite: null } } as const;
    expect(cookiesOf(await submit(reply, { cookie: 'invite=any' }))).toEqual(['invite=; Max-Age=0']);
    expect(cookiesOf(await submit(reply))).toEqual([]);
  });

  test('a form leads to another site with a page that opens it, which the content security policy permits', async () => {
    const answer = await submit({ ...DOCUMENT, leavesTo: 'https://pay.example/session' });
    expect([answer.statusCode, answer.headers.refresh]).toEqual([200, '0; url=https://pay.example/session']);
  });

  test('a form answers 503 with a page that loads itself again while the portal is not available', async () => {
    const answer = await submit({ kind: 'unavailable' });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '10']);
    expect(answer.body).toContain('<p>Page</p>');
  });
});
