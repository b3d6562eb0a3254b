// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { ComponentType } from 'react';
import { expect, it } from 'vitest';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import ConfirmEulaPage from './ConfirmEulaPage.tsx';

const open = (Component: ComponentType, address: string) =>
  renderRoutes([{ path: new URL(address, 'http://portal').pathname, Component }], address).user;
const press = async (user: ReturnType<typeof open>, name: string) =>
  user.click(await screen.findByRole('button', { name }));

/** The texts of the summary above the form. */
const findProblems = async () =>
  within(await screen.findByRole('alert'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

it('an error of the acceptance of the terms is shown above the form', async () => {
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ terms_accepted_at: null }) }),
    'POST /v1/enterprises/7/terms/accept': () =>
      rejectWith(409, { error: 'Only the owner of this account can do this.', error_type: 'conflict' }),
  });
  const user = open(ConfirmEulaPage, '/confirm/eula');
  await user.click(await screen.findByRole('checkbox', { name: /licence agreement/ }));
  await user.click(screen.getByRole('checkbox', { name: /terms and conditions/ }));
  await press(user, 'Submit');
  expect(await findProblems()).toEqual(['Only the owner of this account can do this.']);
});
