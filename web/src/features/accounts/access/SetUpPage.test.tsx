// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderRoutes } from '../../../testing/render-in-app.tsx';
import SetUpPage from './SetUpPage.tsx';

const EXCHANGE = 'POST /v1/users/setup/exchange';
const LINK = 'h5Jt2LkT0mVd9wRz4xHc1nPs8uJf6gEa3oQi5tWlCvM';

function showPage(reply: () => object) {
  const sent = fakeApi({ [EXCHANGE]: reply });
  const routes = [
    { path: '/setup/:token', Component: SetUpPage },
    { path: '/', Component: () => <p>The dashboard</p> },
  ];
  return { ...renderRoutes(routes, `/setup/${LINK}`), sent: () => sent[EXCHANGE] };
}
const press = async (user: ReturnType<typeof showPage>['user']) =>
  user.click(await screen.findByRole('button', { name: 'Continue' }));

it('exchanges a set-up link only when the button is pressed', async () => {
  const { user, sent } = showPage(() => ({ user: makeUser(), meta: { token: 'a-token' } }));
  await screen.findByText(/Select Continue to choose a password/);
  expect(sent()).toBeUndefined();
  await press(user);
  await screen.findByText('The dashboard');
  expect(sent()).toEqual([{ token: LINK }]);
});

it('explains that a set-up link no longer works', async () => {
  const { user } = showPage(() =>
    rejectWith(404, { error: 'expired', error_type: 'not_found', code: 'token_expired' }),
  );
  await press(user);
  await screen.findByText('This token is no longer authorised');
  expect(screen.getByRole('link', { name: 'Go to login' }).getAttribute('href')).toBe('/login');
  expect(screen.queryByRole('button')).toBeNull();
});

it('keeps the button of a set-up link when the server cannot be reached, and sends it again', async () => {
  const { user, sent } = showPage(() => rejectWith(503, { error: 'Try again.', error_type: 'server' }));
  await press(user);
  await screen.findByRole('alert');
  await press(user);
  await expect.poll(() => sent()?.length).toBe(2);
});
