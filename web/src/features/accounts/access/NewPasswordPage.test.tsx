// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { getSession } from '../../../shared/session.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import { fakeApi } from '../../../testing/fake-api.ts';
import NewPasswordPage from './NewPasswordPage.tsx';

it('saves the new password, ends the old session, logs in with the password and opens the dashboard', async () => {
  const order: string[] = [];
  const reply = (name: string, body: object) => () => {
    order.push(name);
    return body;
  };
  signIn(makeUser({ require_password_reset: true }));
  const sent = fakeApi({
    'POST /v1/users/me': reply('password', { user: makeUser() }),
    'DELETE /v1/auth': reply('log out', {}),
    'POST /v1/auth': reply('log in', { user: makeUser({ first_name: 'Reloaded' }), meta: { token: 't' } }),
  });
  const routes = [
    { path: '/setup', Component: NewPasswordPage },
    { path: '/', element: <h1>Dashboard</h1> },
  ];
  const { user } = renderRoutes(routes, '/setup');
  expect(await screen.findByRole('heading', { level: 1, name: 'Create new password' })).toBeTruthy();
  await user.type(screen.getByLabelText('New password'), 'kettle over 7 hills');
  await user.click(screen.getByRole('button', { name: 'Save password' }));
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(order).toEqual(['password', 'log out', 'log in']);
  expect(sent['POST /v1/users/me']).toEqual([{ password: 'kettle over 7 hills' }]);
  expect(sent['POST /v1/auth']).toEqual([{ email: 'ada@school.example', password: 'kettle over 7 hills' }]);
  expect(getSession()?.user).toMatchObject({ first_name: 'Reloaded' });
});
