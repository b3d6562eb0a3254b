// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderRoutes } from '../../../testing/render-in-app.tsx';
import RegisterPage from './RegisterPage.tsx';

const REGISTER = 'POST /v1/users';

it('the registration asks for first name, last name, email and password, and sends them', async () => {
  const sent = fakeApi({ [REGISTER]: () => ({ user: makeUser({ enterprise: null }), meta: { token: 'a-token' } }) });
  const routes = [
    { path: '/register', Component: RegisterPage },
    { path: '/subscription/:action', element: <h1>You are registered</h1> },
  ];
  const { user } = renderRoutes(routes, '/register');
  await screen.findByRole('heading', { level: 1, name: 'Register' });
  expect([...document.querySelectorAll('label')].map((label) => label.textContent)).toEqual([
    'First name',
    'Last name',
    'Email',
    'Password',
  ]);
  await user.type(screen.getByLabelText('First name'), 'Tom');
  await user.type(screen.getByLabelText('Last name'), 'Ash');
  await user.type(screen.getByLabelText('Email'), 'tom@ash-tree.example');
  await user.type(screen.getByLabelText('Password'), 'lantern under 4 elms');
  await user.click(screen.getByRole('button', { name: 'Register' }));
  await screen.findByRole('heading', { name: 'You are registered' });
  expect(sent[REGISTER]).toEqual([
    {
      first_name: 'Tom',
      last_name: 'Ash',
      email: 'tom@ash-tree.example',
      password: 'lantern under 4 elms',
      user_type: 'enterprise',
    },
  ]);
});
