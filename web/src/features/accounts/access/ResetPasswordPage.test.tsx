// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { renderRoutes } from '../../../testing/render-in-app.tsx';
import ResetPasswordPage from './ResetPasswordPage.tsx';

const VERIFY = 'POST /v1/users/password/verify';
const UPDATE = 'POST /v1/users/password/update';

function showPage(verify: () => object) {
  const sent = fakeApi({ [VERIFY]: verify, [UPDATE]: () => ({}) });
  const page = renderRoutes([{ path: '/password/reset', Component: ResetPasswordPage }], '/password/reset?token=abc');
  const fields = () => screen.getByRole<HTMLFieldSetElement>('group', { name: 'New password' });
  return { ...page, sent, fields };
}

it('enables the form of a new password once the server has confirmed the link', async () => {
  const { user, sent, fields } = showPage(() => ({}));
  expect(fields().disabled).toBe(true);
  await waitFor(() => expect(fields().disabled).toBe(false));
  expect(sent[VERIFY]).toEqual([{ token: 'abc' }]);
  await user.type(screen.getByLabelText('New password'), 'kettle over 7 hills');
  await user.type(screen.getByLabelText('New password again'), 'kettle over 8 hills');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  expect(await screen.findByRole('link', { name: 'The two passwords are not the same.' })).toBeTruthy();
  expect(sent[UPDATE]).toBeUndefined();
  await user.clear(screen.getByLabelText('New password again'));
  await user.type(screen.getByLabelText('New password again'), 'kettle over 7 hills');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  expect(await screen.findByText('Your password has been changed. You can log in with it now.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to login' }).getAttribute('href')).toBe('/login');
  expect(sent[UPDATE]).toEqual([{ token: 'abc', password: 'kettle over 7 hills' }]);
});

it('leaves the form of a new password disabled when the link has expired', async () => {
  const { fields } = showPage(() =>
    rejectWith(404, { error: 'expired', error_type: 'not_found', code: 'token_expired' }),
  );
  await screen.findByText(/Sorry, the token has expired/);
  expect(fields().disabled).toBe(true);
});
