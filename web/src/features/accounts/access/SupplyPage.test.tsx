import { expect, it } from 'vitest';
import { loginErrors } from '#contract/login-errors.ts';
import { openGuestPage, submitGuestForm, visitGuestPage } from '../../../testing/guest-page.ts';
import { makeUser } from '../../../testing/make-school.ts';

const LOG_IN = 'POST /v1/auth/code';
const ENDED = 'Your cover has ended. If you still teach the class, ask the school for a new card.';

const cover = (classId: number) => ({ group_id: classId, ends_at: '2026-11-18T15:30:00.000Z' });
const makeSupplyTeacher = (...covers: ReturnType<typeof cover>[]) =>
  makeUser({ full_name: 'Sam Reed', email: '', enterprise_user_role: 'teacher', role: 'supply_teacher', covers });
const answer = (user: object) => ({ replies: { [LOG_IN]: () => ({ user, meta: { token: 'secret' } }) } });

it('the page of supply teachers has one field, which browsers neither fill in nor correct', async () => {
  const page = await openGuestPage('/supply');
  expect(page.getByRole('heading', { level: 1 }).textContent).toBe('Log in with a code');
  expect(page.labels).toEqual(['Code']);
  const attributes = ['autocomplete', 'autocapitalize', 'autocorrect', 'spellcheck', 'inputmode'];
  expect(attributes.map((name) => page.field('code')?.getAttribute(name))).toEqual([
    'off',
    'characters',
    'off',
    'false',
    'text',
  ]);
  expect(page.link('Log in with an email address')).toBe('/login');
});

it('the page says that the cover has ended only to a supply teacher whose cover has', async () => {
  expect((await openGuestPage('/supply?action=cover-ended')).text).toContain(ENDED);
  expect((await openGuestPage('/supply')).text).not.toContain('has ended');
});

it('a code leads to the class that the supply teacher covers', async () => {
  const { sent, reply } = await submitGuestForm(
    '/supply',
    { code: 'k7pm 3xqr 9dtw' },
    answer(makeSupplyTeacher(cover(4))),
  );
  expect(sent[LOG_IN]).toEqual([{ code: 'k7pm 3xqr 9dtw' }]);
  expect(reply).toEqual({ kind: 'redirect', to: '/classes/4', keep: { step: null, invite: null } });
});

it('a code leads to the list of classes when the supply teacher covers several', async () => {
  const { to } = await submitGuestForm('/supply', { code: 'K7PM' }, answer(makeSupplyTeacher(cover(4), cover(5))));
  expect(to).toBe('/classes');
});

it.each(['supply_code_failed', 'supply_code_used'] as const)(
  'the error %s is shown at the field, which keeps what was typed',
  async (code) => {
    const { status, type, text, field } = loginErrors[code];
    const failure = { status, error: text, error_type: type, code, errors: { [field]: [text] } };
    const { page } = await submitGuestForm('/supply', { code: 'K7PM' }, { replies: { [LOG_IN]: () => failure } });
    expect([page?.status, page?.problems, page?.valueOf('code')]).toEqual([401, [text], 'K7PM']);
    expect(page?.field('code')?.getAttribute('aria-invalid')).toBe('true');
  },
);

it('a device that has entered too many codes is asked to wait', async () => {
  const text = 'Too many attempts. Try again in 5 minutes.';
  const limit = { status: 429, error: text, error_type: 'rate_limit' };
  const { page } = await submitGuestForm('/supply', { code: 'K7PM' }, { replies: { [LOG_IN]: () => limit } });
  expect([page?.status, page?.problems.join(' ')]).toEqual([429, expect.stringContaining(text)]);
});

it('a code is not entered while a colleague is logged in on the device', async () => {
  const user = makeUser({ full_name: 'Ada Okafor' });
  const { page } = await visitGuestPage('/supply', { replies: { 'GET /v1/users/me': () => ({ user }) } });
  expect(page?.text).toContain('Ada Okafor is logged in on this device.');
  expect([page?.labels, page?.link('Go to main page')]).toEqual([[], '/']);
  expect(page?.getByRole('button', { name: 'Log out' }).closest('form')?.getAttribute('action')).toBe('/logout');
});

it('a supply teacher who is logged in goes to their class, or learns that logging out needs a new card', async () => {
  const user = makeSupplyTeacher(cover(4));
  const { page } = await visitGuestPage('/supply', { replies: { 'GET /v1/users/me': () => ({ user }) } });
  expect(page?.link('Go to the class')).toBe('/classes/4');
  expect(page?.text).toContain('Sam Reed then needs a new card to log in again.');
});

it('the login page leads supply teachers to the page for codes', async () => {
  const page = await openGuestPage('/login');
  expect(page.link('Log in with the code on your card')).toBe('/supply');
});
