// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Session } from '#contract/calls/sessions.ts';
import { fakeApi, rejectWith } from '../../../../testing/fake-api.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { DevicesCard } from './DevicesCard.tsx';

const session = (id: string, browser: string | null, more: Partial<Session> = {}): Session => ({
  id,
  browser,
  system: browser && 'Windows',
  created_at: '2026-11-03T09:00:00.000Z',
  last_used_at: '2026-11-16T09:00:00.000Z',
  is_recent: false,
  is_current: false,
  ...more,
});
const CURRENT = session('aa', 'Chrome', { is_current: true, is_recent: true });

/** Shows the card for these sessions. Returns the calls that end some. */
function showCard(first: Session[], end?: () => Response) {
  let sessions = first;
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/users/me/sessions': () => ({ sessions }),
    'DELETE /v1/users/me/sessions': () => {
      sessions = sessions.filter(({ is_current }) => is_current);
      return {};
    },
    'DELETE /v1/users/me/sessions/bb': () => {
      sessions = sessions.filter(({ id }) => id !== 'bb');
      return end?.() ?? {};
    },
  });
  return { ...renderInApp(<DevicesCard />), sent };
}
const items = async () => {
  const list = await within(await screen.findByRole('region', { name: 'Where you are logged in' })).findByRole('list');
  return within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
};

it('the card of devices lists them, and offers to log out all but this one', async () => {
  showCard([CURRENT, session('bb', 'Firefox'), session('cc', null)]);
  expect(await items()).toEqual([
    'Chrome on WindowsThis deviceUsed in the last hour. Logged in on 3 November 2026.',
    'Firefox on WindowsLast used on 16 November 2026. Logged in on 3 November 2026.Log out',
    'Unknown deviceLast used on 16 November 2026. Logged in on 3 November 2026.Log out',
  ]);
});

it('the card of devices logs out one device after a question', async () => {
  const { user, sent } = showCard([CURRENT, session('bb', 'Firefox')]);
  await user.click(await screen.findByRole('button', { name: /^Log out Firefox on Windows, logged in on 3 November/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Log out Firefox on Windows?' });
  expect(sent['DELETE /v1/users/me/sessions/bb']).toBeUndefined();
  await user.click(within(dialog).getByRole('button', { name: 'Log out' }));
  await screen.findByText('Firefox on Windows has been logged out');
  expect(await items()).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Log out all other devices' })).toBeNull();
});

it('the card of devices says when one had already been logged out elsewhere, and no longer lists it', async () => {
  const text = 'This device has already been logged out.';
  const { user } = showCard([CURRENT, session('bb', 'Firefox')], () =>
    rejectWith(404, { error: text, error_type: 'not_found' }),
  );
  await user.click(await screen.findByRole('button', { name: /^Log out Firefox/ }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Log out' }));
  expect((await screen.findByRole('alert')).textContent).toContain(text);
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Log out Firefox/ })).toBeNull());
});

it('the card of devices logs out all other devices after a question', async () => {
  const { user, sent } = showCard([CURRENT, session('bb', 'Firefox'), session('cc', 'Safari')]);
  await user.click(await screen.findByRole('button', { name: 'Log out all other devices' }));
  const dialog = await screen.findByRole('dialog', { name: 'Log out all other devices?' });
  await user.click(within(dialog).getByRole('button', { name: 'Log out all others' }));
  await screen.findByText('All other devices have been logged out');
  expect(await items()).toHaveLength(1);
  expect(sent['DELETE /v1/users/me/sessions']).toHaveLength(1);
});
