// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { getSession } from '../../../shared/session.ts';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import LogInAsPage from './LogInAsPage.tsx';

const EXCHANGE = 'POST /v1/auth/impersonate';

/** Opens a code from another page while an operator is logged in. */
function openCode(code: string, referrer: string, reply: () => object) {
  const spy = vi.spyOn(document, 'referrer', 'get').mockReturnValue(new URL(referrer, window.location.href).href);
  onTestFinished(() => spy.mockRestore());
  signIn(makeUser({ id: 1, is_operator: true }));
  const usersAtExchange: (number | undefined)[] = [];
  const sent = fakeApi({
    [EXCHANGE]: () => {
      usersAtExchange.push(getSession()?.user.id);
      return reply();
    },
  });
  const routes = [
    { path: '/token/:token', Component: LogInAsPage },
    { path: '/', element: <h1>Dashboard</h1> },
    { path: '/logout', element: <h1>Log out</h1> },
  ];
  renderRoutes(routes, `/token/${code}`);
  return { sent: () => sent[EXCHANGE], usersAtExchange };
}
const signedIn = () => ({ user: makeUser({ id: 9 }), meta: { token: 'another' } });

it('an impersonation code from the admin panel ends the session, starts one of the other user and leads to the dashboard', async () => {
  const { sent, usersAtExchange } = openCode('code-1', '/admin/schools/7', signedIn);
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(sent()).toEqual([{ code: 'code-1' }]);
  expect(usersAtExchange).toEqual([undefined]);
  expect(getSession()?.user.id).toBe(9);
});

it('an impersonation code from another page is not used, and leads to /logout', async () => {
  const { sent } = openCode('code-2', '/classes', signedIn);
  await screen.findByRole('heading', { name: 'Log out' });
  expect(sent()).toBeUndefined();
});

it('an impersonation code that the server rejects leads to /logout', async () => {
  openCode('code-3', '/admin', () => rejectWith(404, { error: 'Gone', error_type: 'not_found' }));
  await screen.findByRole('heading', { name: 'Log out' });
  expect(getSession()).toBeNull();
});
