import { expect, it } from 'vitest';
import { openGuestPage, submitGuestForm } from '../../../testing/guest-page.ts';

const VERIFY = 'POST /v1/users/password/verify';
const UPDATE = 'POST /v1/users/password/update';
const ADDRESS = '/password/reset?token=abc';
const PASSWORD = 'kettle over 7 hills';
const ended = () => ({ status: 404, error: 'expired', error_type: 'not_found', code: 'token_expired' });

const isEnabled = ({ main }: { main: HTMLElement }) =>
  main.querySelector('fieldset')?.hasAttribute('disabled') === false;

it('enables the form of a new password once the server has confirmed the link', async () => {
  const verified: unknown[] = [];
  const replies = { [VERIFY]: (body: unknown) => (verified.push(body), {}), [UPDATE]: () => ({}) };
  const page = await openGuestPage(ADDRESS, { replies });
  expect([verified, isEnabled(page), page.labels]).toEqual([
    [{ token: 'abc' }],
    true,
    ['New password', 'New password again'],
  ]);
  const wrong = await submitGuestForm(ADDRESS, { password: PASSWORD, confirmation: 'another' }, { replies });
  expect([wrong.page?.problems, wrong.sent[UPDATE]]).toEqual([['The two passwords are not the same.'], undefined]);
  const { page: done, sent } = await submitGuestForm(
    ADDRESS,
    { password: PASSWORD, confirmation: PASSWORD },
    { replies },
  );
  expect(done?.text).toContain('Your password has been changed. You can log in with it now.');
  expect([done?.link('Go to login'), sent[UPDATE]]).toEqual(['/login', [{ token: 'abc', password: PASSWORD }]]);
});

it('leaves the form of a new password disabled when the link has expired', async () => {
  const page = await openGuestPage(ADDRESS, { replies: { [VERIFY]: ended } });
  expect(page.text).toContain('Sorry, the token has expired.');
  expect(isEnabled(page)).toBe(false);
  expect(isEnabled(await openGuestPage('/password/reset'))).toBe(false);
});

it('a link to a new password that has expired says so and leads to another one', async () => {
  const opened = await openGuestPage(ADDRESS, { replies: { [VERIFY]: ended } });
  const { page: sent } = await submitGuestForm(
    ADDRESS,
    { password: PASSWORD, confirmation: PASSWORD },
    { replies: { [UPDATE]: ended } },
  );
  for (const page of [opened, sent!]) {
    const link = page.getByRole('link', { name: 'Click here to try again.' });
    expect(link.parentElement?.textContent).toBe('Sorry, the token has expired. Click here to try again.');
    expect(link.getAttribute('href')).toBe('/password/forgotten');
  }
  expect([sent?.problems, isEnabled(sent!)]).toEqual([[], false]);
});

it('a new password that the server rejects shows why at its field, and repeats neither password', async () => {
  const text = 'A password has at least 7 characters.';
  const short = { status: 422, error: text, error_type: 'validation', errors: { password: [text] } };
  const fields = { password: 'brief!', confirmation: 'brief!' };
  const { page } = await submitGuestForm(ADDRESS, fields, { replies: { [UPDATE]: () => short } });
  expect([page?.problems, page?.html.includes('brief!')]).toEqual([[text], false]);
});

it('a link that cannot be checked now offers to try again', async () => {
  const limited = { status: 429, error: 'Try again later.', error_type: 'rate_limit' };
  const page = await openGuestPage(ADDRESS, { replies: { [VERIFY]: () => limited } });
  expect([page.status, page.text.includes(limited.error)]).toEqual([429, true]);
  expect(page.html).toContain('<a href="">Try again</a>');
});
