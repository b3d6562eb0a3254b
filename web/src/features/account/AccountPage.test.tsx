// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, rejectWith } from '../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../testing/render-in-app.tsx';
import AccountPage from './AccountPage.tsx';

it('shows “Duplicate email” once in the summary, as a link to the field, and once at the field', async () => {
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'POST /v1/users/me': () =>
      rejectWith(400, {
        error: 'Duplicate email',
        error_type: 'bad_request',
        code: 'duplicate_email',
        errors: { email: ['Duplicate email'] },
      }),
  });
  const { user } = renderRoutes([{ path: '/account', Component: AccountPage }], '/account');
  const address = await screen.findByLabelText('Email');
  await user.clear(address);
  await user.type(address, 'taken@school.example');
  await user.type(await screen.findByLabelText('Current password'), 'reading-1');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  const summary = await screen.findByRole('alert');
  expect(within(summary).getAllByText('Duplicate email')).toHaveLength(1);
  expect(within(summary).getByRole('link', { name: 'Duplicate email' }).getAttribute('href')).toBe('#email');
  expect(screen.getAllByText('Duplicate email')).toHaveLength(2);
});
