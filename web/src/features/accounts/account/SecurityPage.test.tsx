// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import AccountPage from './AccountPage.tsx';
import SecurityPage from './SecurityPage.tsx';

it('the pages about an account show support nothing to see or change, and call nothing', async () => {
  signIn(makeUser({ impersonated_by: { id: 9, full_name: 'Sam Support' } }));
  const sent = fakeApi({});
  renderInApp(
    <>
      <SecurityPage />
      <AccountPage />
    </>,
  );
  expect(await screen.findByText('Only the owner of this account can see this.')).toBeTruthy();
  expect(screen.getByText('Only the owner of this account can change these details.')).toBeTruthy();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
  expect(sent).toEqual({});
});
