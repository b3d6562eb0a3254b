// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, rejectWith } from '../../testing/fake-api.ts';
import { renderRoutes } from '../../testing/render-in-app.tsx';
import InvitePage from './InvitePage.tsx';
import LoginPage from './LoginPage.tsx';

const ID = '5b0c6a0e-7b0f-4a51-9d4e-3f1f0c2b7a11';

function openInvite(reply: (status: string) => object, status = 'pending') {
  fakeApi({ [`GET /v1/enterprises/invites/${ID}`]: () => reply(status) });
  const routes = [
    { path: '/invite/:id', Component: InvitePage },
    { path: '/login', Component: LoginPage },
    { path: '/register', element: <h1>Register</h1> },
  ];
  return renderRoutes(routes, `/invite/${ID}`);
}
const invite = (status: string) => ({
  invite: {
    id: ID,
    status,
    email: 'robin@school.example',
    name: 'Robin Reed',
    created_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    enterprise: { id: 7, name: 'Oak Row' },
    sign_in_providers: [],
  },
});

it('a pending invitation offers a guest to register, to log in or to decline', async () => {
  openInvite(invite);
  await screen.findByRole('heading', { level: 1, name: 'Join Oak Row' });
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Register', 'Log in', 'Decline']);
});

it.each([
  ['accepted', 'This invitation has already been accepted.'],
  ['declined', 'This invitation was declined.'],
  ['expired', 'This invitation has expired.'],
])('an invitation that is %s leads to the login, which says “%s”', async (status, text) => {
  openInvite(invite, status);
  await screen.findByRole('heading', { level: 1, name: 'Log in' });
  expect(screen.getByText(new RegExp(`^${text}`))).toBeTruthy();
});

it('an invitation that does not exist leads to the login, which says so', async () => {
  openInvite(() => rejectWith(404, { error: 'Gone', error_type: 'not_found' }));
  await screen.findByRole('heading', { level: 1, name: 'Log in' });
  expect(screen.getByText(/^This invitation no longer exists./)).toBeTruthy();
});
