import { expect, it } from 'vitest';
import { openGuestPage, submitGuestForm } from '../../../testing/guest-page.ts';

const ASK = 'POST /v1/users/resetpassword';
const EMAIL = 'ada@school.example';

it('a forgotten password is requested for a school, and the page says that an email has been sent', async () => {
  const { page, sent } = await submitGuestForm('/forgotten', { email: EMAIL }, { replies: { [ASK]: () => ({}) } });
  expect(sent[ASK]).toEqual([{ email: EMAIL, isSchool: true }]);
  expect(page?.status).toBe(200);
  expect(page?.text).toContain('An email with your new password has been sent to your address.');
  expect(page?.valueOf('email')).toBe(EMAIL);
});

it('a forgotten password of an unknown address shows that the email is not registered', async () => {
  const unknown = { status: 404, error: 'User not found', error_type: 'not_found', code: 'user_not_found' };
  const replies = { [ASK]: () => unknown };
  const { page } = await submitGuestForm('/password/forgotten', { email: EMAIL }, { replies });
  expect([page?.status, page?.problems]).toEqual([404, ['Sorry, that email is not registered with us.']]);
  expect(page?.valueOf('email')).toBe(EMAIL);
  expect(page?.link('Sorry, that email is not registered with us.')).toBe('#email');
});

it('the page for a forgotten password asks for the email address and leads back to the login', async () => {
  const page = await openGuestPage('/forgotten');
  expect(page.title).toMatch(/^Forgotten Password –/);
  expect([page.labels, page.link('Back to login')]).toEqual([['Email'], '/login']);
});
