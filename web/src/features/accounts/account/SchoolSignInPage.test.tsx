// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { SIGN_IN_PROVIDERS } from '../../../shared/product.ts';
import { getSession } from '../../../shared/session.ts';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeUserOfElm, makeUserOfTwo, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import SchoolSignInPage from './SchoolSignInPage.tsx';

// The list that the modules of this worker already have, whichever test loaded them.
const providers = SIGN_IN_PROVIDERS as { id: string; name: string }[];
beforeAll(() => void providers.push({ id: 'trust', name: 'Trust' }, { id: 'google', name: 'Google' }));
afterAll(() => void providers.splice(0));

const LINK = 'POST /v1/users/me/linked-accounts';
const TRUST = { id: 4, provider: 'trust', name: 'Trust', created_at: '2026-09-01T08:00:00.000Z', last_used_at: null };
let accounts: object[];
let link: () => object;
let sent: Record<string, unknown[]>;
const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
afterEach(() => assign.mockClear());
beforeEach(() => {
  accounts = [];
  link = () => ({ url: '/sign-in/trust?ticket=abc' });
  sent = fakeApi({
    'GET /v1/users/me/linked-accounts': () => ({
      has_password: true,
      accounts,
      providers: accounts.length > 0 ? [] : [{ id: 'trust', name: 'Trust' }],
    }),
    [LINK]: () => link(),
    'POST /v1/users/me/enterprise': () => ({ user: makeUserOfElm() }),
  });
});

function open(search = '', user: User = makeUser({ require_provider: true })) {
  signIn(user);
  return renderRoutes([{ path: '/school-sign-in', element: <SchoolSignInPage /> }], `/school-sign-in${search}`).user;
}

it('someone who has linked no account does it with one press, and goes on to the screen that they wanted', async () => {
  const user = open('?redirect=%2Fpupils%3Fpage%3D2');
  await user.click(await screen.findByRole('button', { name: 'Sign in with Trust' }));
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/sign-in/trust?ticket=abc&redirect=%2Fpupils%3Fpage%3D2'));
  expect(sent[LINK]).toEqual([{ provider: 'trust' }]);
  expect(screen.getByText(/Oak Row does not use passwords here/)).toBeTruthy();
});

it('someone who has linked an account signs in with that one', async () => {
  accounts = [
    { ...TRUST, is_allowed: true },
    { ...TRUST, id: 5, provider: 'google', name: 'Google', is_allowed: false },
  ];
  open('?redirect=%2Fpupils');
  const signInLink = await screen.findByRole('link', { name: 'Sign in with Trust' });
  expect(signInLink.getAttribute('href')).toBe('/sign-in/trust?redirect=%2Fpupils');
  expect(screen.queryByRole('link', { name: 'Sign in with Google' })).toBeNull();
});

it('does not lead to another site', async () => {
  accounts = [{ ...TRUST, is_allowed: true }];
  open('?redirect=https%3A%2F%2Fevil.example');
  const signInLink = await screen.findByRole('link', { name: 'Sign in with Trust' });
  expect(signInLink.getAttribute('href')).toBe('/sign-in/trust');
});

it('explains how the last sign-in ended, and why a new one cannot begin', async () => {
  link = () => rejectWith(409, { error: 'Your school does not use it yet.', code: 'provider_not_connected' });
  const user = open('?sign-in=taken');
  await screen.findByText('This account is already linked to another person here.');
  await user.click(await screen.findByRole('button', { name: 'Sign in with Trust' }));
  await screen.findByText(/Your school does not use it yet\./);
  expect(assign).not.toHaveBeenCalled();
});

it('someone who cannot sign in to their school at the moment reads whom to ask', async () => {
  accounts = [{ ...TRUST, is_allowed: false }];
  open();
  await screen.findByText(/Ask an administrator of your school/);
});

it('leads to the other schools of the person', async () => {
  const user = open('', makeUserOfTwo({ require_provider: true }));
  await user.click(await screen.findByRole('button', { name: 'Switch to Elm Street' }));
  await waitFor(() => expect(getSession()?.user.enterprise_id).toBe(8));
});

it('offers no other school to someone of one', async () => {
  open();
  await screen.findByRole('button', { name: 'Sign in with Trust' });
  expect(screen.queryByRole('heading', { name: /another of your schools/ })).toBeNull();
});
