// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { endSession, getSession, startSession } from '../../shared/session.ts';
import { renderRoutes } from '../../testing/render-in-app.tsx';
import LogoutPage from './LogoutPage.tsx';

const ROUTES = [
  { path: '/logout', Component: LogoutPage },
  { path: '/login', element: <h1>Log in</h1> },
];

afterEach(endSession);

it.each([
  ['has ended the session', async () => new Response(null, { status: 204 })],
  ['cannot be reached', async () => Promise.reject(new TypeError('Failed to fetch'))],
])('goes to the login only once the server %s', async (_what, end) => {
  let release = () => undefined as void;
  const pending = new Promise<void>((done) => (release = done));
  const fetched = vi.fn<typeof fetch>(() => pending.then(end));
  vi.stubGlobal('fetch', fetched);
  startSession({ id: 1 } as User);
  const { findByRole, queryByRole } = renderRoutes(ROUTES, '/logout');
  await waitFor(() => expect(fetched).toHaveBeenCalledWith('/v1/auth', expect.objectContaining({ method: 'DELETE' })));
  expect(getSession()).toBeNull();
  expect(queryByRole('heading', { name: 'Log in' })).toBeNull();
  release();
  await findByRole('heading', { name: 'Log in' });
});
