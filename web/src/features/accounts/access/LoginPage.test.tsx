import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeUser } from '../../../testing/make-school.ts';
import { openGuestPage, submitGuestForm } from '../../../testing/guest-page.ts';

const LOG_IN = 'POST /v1/auth';
const FIELDS = { email: 'ada@school.example', password: 'reading-1' };
const succeed = () => ({ user: makeUser(), meta: { token: 'secret' } });

it.each([
  ['session-ended', 'Your session has ended. Log in again to continue.'],
  ['password-changed', 'Your password has been changed. Log in with the new one.'],
  ['decline', 'You have declined the invitation'],
])('says why a page led to the login: %s', async (action, text) => {
  const page = await openGuestPage(`/login?action=${action}`);
  expect(page.getByText(text)).not.toBeNull();
});

it('says that the browser keeps no cookies when a page has found out, and leaves it to the script otherwise', async () => {
  const isHidden = async (url: string) => {
    const { main } = await openGuestPage(url);
    const notice = main.querySelector('[data-cookies-blocked]');
    expect(notice?.textContent).toMatch(/^This browser does not keep cookies/);
    return notice?.hasAttribute('hidden');
  };
  expect([await isHidden('/login'), await isHidden('/login?action=cookies-blocked')]).toEqual([true, false]);
});

it('the login has a form for email and password, a button Register & Subscribe and a link Forgotten Password', async () => {
  const page = await openGuestPage('/login');
  const form = page.getByRole('button', { name: 'Log in' }).closest('form');
  expect(form?.contains(page.getByLabelText('Email'))).toBe(true);
  expect(form?.contains(page.getByLabelText('Password'))).toBe(true);
  expect([page.link('Register & Subscribe'), page.link('Forgotten Password')]).toEqual(['/register', '/forgotten']);
});

it('a login leads to the page that was requested', async () => {
  const { sent, to } = await submitGuestForm('/login?redirect=%2Fpupils', FIELDS, { replies: { [LOG_IN]: succeed } });
  expect([sent[LOG_IN], to]).toEqual([[FIELDS], '/pupils']);
});

it('a login stays on this site, whatever bytes the requested page has', async () => {
  const percent = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`;
  const start = fc.constantFrom('', '/', '//', '/%5C', '/.//', '/a/..//', 'https://', '/pupils?search=');
  const bytes = fc.array(fc.integer({ min: 0, max: 255 }).map(percent), { maxLength: 800 });
  await fc.assert(
    fc.asyncProperty(start, bytes, async (prefix, encoded) => {
      const url = `/login?redirect=${prefix}${encoded.join('')}`;
      const { to } = await submitGuestForm(url, FIELDS, { replies: { [LOG_IN]: succeed } });
      expect(to).toMatch(/^[!-~]+$/);
      expect(new URL(to!, 'https://portal.test.example').host).toBe('portal.test.example');
    }),
    { numRuns: 100 },
  );
});

it('a login that the server cannot answer says to try again, and keeps the email', async () => {
  const replies = { [LOG_IN]: () => ({ status: 503, error: 'An error occurred', error_type: 'server' }) };
  const { page } = await submitGuestForm('/login', FIELDS, { replies });
  expect(page?.problems).toEqual(['An error occurred', 'Please try again in a moment. What you typed is still here.']);
  expect(page?.valueOf('email')).toBe(FIELDS.email);
});

it.each([
  ['the server’s text', 400, { error: 'The account is locked.', error_type: 'bad_request' }, 'The account is locked.'],
  ['“Login failed”', 401, { error: 'Login failed', error_type: 'authentication' }, 'Login failed'],
  ['a text of its own without one', 502, {}, 'Oops something went wrong, please try again.'],
  [
    'that there were too many attempts',
    429,
    { error: 'Try again later.', error_type: 'rate_limit' },
    'Try again later.',
  ],
])('a login that fails shows %s', async (_, status, reply, text) => {
  const replies = { [LOG_IN]: () => ({ status, ...reply }) };
  const { page } = await submitGuestForm('/login?redirect=%2Fpupils', FIELDS, { replies });
  expect([page?.status, page?.problems[0]]).toEqual([status, text]);
});

it('a login that fails keeps the email address and the requested page, and repeats no password', async () => {
  const replies = { [LOG_IN]: () => ({ status: 401, error: 'Login failed', error_type: 'authentication' }) };
  const { page } = await submitGuestForm('/login?redirect=%2Fpupils', FIELDS, { replies });
  expect(page?.valueOf('email')).toBe(FIELDS.email);
  expect(page?.html).not.toContain(FIELDS.password);
  expect(page?.field('email')?.form?.getAttribute('action')).toBe('/login?redirect=%2Fpupils');
  expect(page?.problems).toContain('Check your email address and password, and try again.');
});

it('a login shows what is missing at its field', async () => {
  const missing = { error: 'Enter your password.', errors: { password: ['Enter your password.'] } };
  const replies = { [LOG_IN]: () => ({ status: 422, error_type: 'validation', ...missing }) };
  const { page } = await submitGuestForm('/login', { ...FIELDS, password: '' }, { replies });
  expect([page?.status, page?.problems]).toEqual([422, ['Enter your password.']]);
  expect(page?.field('password')?.getAttribute('aria-invalid')).toBe('true');
});

it('the login names the address of the invitation that it accepts, and then leads to the invitation', async () => {
  const kept = { invite: '5f0c1c1e-0000-4000-8000-000000000001' };
  const invite = { status: 'pending', email: FIELDS.email };
  const replies = { [`GET /v1/enterprises/invites/${kept.invite}`]: () => ({ invite }), [LOG_IN]: succeed };
  const page = await openGuestPage('/login', { kept, replies });
  expect(page.getByText(`Log in as ${FIELDS.email} to accept your invitation.`)).not.toBeNull();
  expect((await submitGuestForm('/login', FIELDS, { kept, replies })).to).toBe(`/invite/${kept.invite}`);
});
