// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import ConfirmEulaPage from './ConfirmEulaPage.tsx';

const ACCEPT = 'POST /v1/enterprises/7/terms/accept';

it('accepts the terms of a school only when both boxes are ticked', async () => {
  signIn(makeUser({ enterprise: { id: 7, name: 'Oak Row', terms_accepted_at: null } }));
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ terms_accepted_at: null }) }),
    'GET /v1/users/me': () => ({ user: makeUser() }),
    [ACCEPT]: () => ({ enterprise: makeSchool() }),
  });
  const routes = [
    { path: '/confirm/eula', Component: ConfirmEulaPage },
    { path: '/', element: <h1>Dashboard</h1> },
  ];
  const { user } = renderRoutes(routes, '/confirm/eula');
  const licence = await screen.findByRole('checkbox', { name: 'I accept the licence agreement (EULA)' });
  const terms = screen.getByRole('checkbox', { name: 'I accept the terms and conditions and the privacy policy' });
  expect(screen.getAllByRole('checkbox')).toHaveLength(2);
  const submit = async () => user.click(screen.getByRole('button', { name: 'Submit' }));

  await user.click(licence);
  await submit();
  await screen.findByRole('link', { name: "Tick 'Accepts Ts and Cs'." });
  await user.click(licence);
  await user.click(terms);
  await submit();
  await screen.findByRole('link', { name: "Tick 'Accept EULA'." });
  expect(sent[ACCEPT]).toBeUndefined();
  await user.click(licence);
  await submit();
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(sent[ACCEPT]).toHaveLength(1);
});
