import { expect, it } from 'vitest';
import { openGuestPage, submitGuestForm } from '../../../testing/guest-page.ts';
import { makeUser } from '../../../testing/make-school.ts';

const REGISTER = 'POST /v1/users';
const FIELDS = { first_name: 'Tom', last_name: 'Ash', email: 'tom@ash-tree.example', password: 'lantern under 4 elms' };
const succeed = () => ({ user: makeUser({ enterprise: null }), meta: { token: 'a-token' } });

it('the registration asks for first name, last name, email and password, and sends them', async () => {
  const { labels } = await openGuestPage('/register');
  expect(labels).toEqual(['First name', 'Last name', 'Email', 'Password']);
  const { sent, to } = await submitGuestForm('/register', FIELDS, { replies: { [REGISTER]: succeed } });
  expect(sent[REGISTER]).toEqual([{ ...FIELDS, user_type: 'enterprise' }]);
  expect(to).toBe('/subscription/register');
});

it('a registration that is rejected keeps what was typed, except the password', async () => {
  const text = 'A password has at least 7 characters.';
  const short = { status: 422, error: text, error_type: 'validation', errors: { password: [text] } };
  const { page } = await submitGuestForm(
    '/register',
    { ...FIELDS, password: 'short' },
    { replies: { [REGISTER]: () => short } },
  );
  expect([page?.status, page?.problems]).toEqual([422, [text]]);
  expect(['first_name', 'last_name', 'email', 'password'].map((name) => page?.valueOf(name))).toEqual([
    'Tom',
    'Ash',
    'tom@ash-tree.example',
    '',
  ]);
});

it('the registration of an invited user has the address of the invitation, and leads to it', async () => {
  const kept = { invite: '5f0c1c1e-0000-4000-8000-000000000001' };
  const invite = { status: 'pending', email: FIELDS.email };
  const replies = { [`GET /v1/enterprises/invites/${kept.invite}`]: () => ({ invite }), [REGISTER]: succeed };
  const page = await openGuestPage('/register', { kept, replies });
  expect(page.valueOf('email')).toBe(FIELDS.email);
  expect(page.text).toContain(`Your invitation is for ${FIELDS.email}. Register with this email to accept it.`);
  expect((await submitGuestForm('/register', FIELDS, { kept, replies })).to).toBe(`/invite/${kept.invite}`);
});

it('an invitation that is over is not named at the registration', async () => {
  const kept = { invite: '5f0c1c1e-0000-4000-8000-000000000001' };
  const invite = { status: 'declined', email: FIELDS.email };
  const replies = { [`GET /v1/enterprises/invites/${kept.invite}`]: () => ({ invite }) };
  const page = await openGuestPage('/register', { kept, replies });
  expect([page.valueOf('email'), page.text.includes('invitation')]).toEqual(['', false]);
});
