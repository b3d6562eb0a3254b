// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { Navigate, useLocation } from '../../../shared/router.ts';
import { getSession } from '../../../shared/session.ts';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeUser, makeUserOfElm, makeUserOfTwo } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import OwnSchoolsPage from './OwnSchoolsPage.tsx';

const SWITCH = 'POST /v1/users/me/enterprise';
let sent: Record<string, unknown[]>;
let reply: () => object;
beforeEach(() => {
  reply = () => ({ user: makeUserOfElm() });
  sent = fakeApi({ [SWITCH]: () => reply() });
});
const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => undefined);
afterAll(() => scroll.mockRestore());

function open(user: User) {
  signIn(user);
  return renderRoutes([{ path: '/account/schools', element: <OwnSchoolsPage /> }], '/account/schools').user;
}
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

it('lists the schools of the user with their role, and marks the current one', async () => {
  open(makeUserOfTwo());
  await screen.findByRole('heading', { level: 1, name: 'Your schools' });
  expect(rows().slice(-2)).toEqual(['Elm StreetTeacherSwitch', 'Oak RowAdminYou are here']);
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Switch to Elm Street',
  ]);
});

it('“Switch” continues the session in the other school', async () => {
  const user = open(makeUserOfTwo());
  await user.click(await screen.findByRole('button', { name: 'Switch to Elm Street' }));
  await waitFor(() => expect(getSession()?.user.enterprise_id).toBe(8));
  expect(sent[SWITCH]).toEqual([{ enterprise_id: 8 }]);
});

it('a user who cannot switch reads why, and where they are, and a second factor is one press away', async () => {
  reply = () => rejectWith(409, { error: 'This school needs a passkey.', code: 'second_factor_needed' });
  const user = open(makeUserOfTwo());
  await user.click(await screen.findByRole('button', { name: 'Switch to Elm Street' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('This school needs a passkey.You are still in Oak Row.');
  expect(screen.getByRole('link', { name: 'Open Security' }).getAttribute('href')).toBe('/account/security');
  expect(getSession()?.user.enterprise_id).toBe(7);
  reply = () => rejectWith(409, { error: 'Log in with your password.', code: 'provider_not_allowed' });
  await user.click(screen.getByRole('button', { name: 'Switch to Elm Street' }));
  await screen.findByText(/Log in with your password\./);
  expect(screen.queryByRole('link', { name: 'Open Security' })).toBeNull();
});

it('says that a user works at one school, and offers support no other', async () => {
  open(makeUser());
  await screen.findByText('You work at one school with this account.');
  expect(screen.queryByRole('button')).toBeNull();
});

it('support cannot switch', async () => {
  open(makeUserOfTwo({ impersonated_by: { id: 9, full_name: 'Sam Support' } }));
  await screen.findByText('Elm Street');
  expect(screen.queryByRole('button')).toBeNull();
});

it.each([
  [8, [{ enterprise_id: 8 }]],
  [7, undefined],
  [9, undefined],
])('the search dialog, which leads here with the school %s, sends the switch %j', async (switchTo, switches) => {
  signIn(makeUserOfTwo());
  const State = () => <p>{JSON.stringify(useLocation().state)}</p>;
  const page = (
    <>
      <OwnSchoolsPage />
      <State />
    </>
  );
  const start = { path: '/', element: <Navigate to="/account/schools" state={{ switchTo }} replace /> };
  renderRoutes([start, { path: '/account/schools', element: page }], '/');
  await screen.findByRole('heading', { level: 1, name: 'Your schools' });
  if (switches) await waitFor(() => expect(getSession()?.user.enterprise_id).toBe(8));
  // A reload must not switch again.
  expect(await screen.findByText(switches ? 'null' : JSON.stringify({ switchTo }))).toBeTruthy();
  expect(sent[SWITCH]?.[0]).toEqual(switches?.[0]);
});
