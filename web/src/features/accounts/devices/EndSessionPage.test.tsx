// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import EndSessionPage from './EndSessionPage.tsx';

const END = 'POST /v1/users/sessions/end';
const LINK = 'h5Jt2LkT0mVd9wRz4xHc1nPs8uJf6gEa3oQi5tWlCvM';

function showPage(reply: () => object) {
  const sent = fakeApi({ [END]: reply });
  const page = renderRoutes([{ path: '/end-session/:token', Component: EndSessionPage }], `/end-session/${LINK}`);
  return { ...page, sent: () => sent[END] };
}
const press = async (user: ReturnType<typeof showPage>['user']) =>
  user.click(await screen.findByRole('button', { name: 'Log out that device' }));

it('the page of the mail about a device ends the session only when the button is pressed, and leads to a new password', async () => {
  const { user, sent } = showPage(() => ({}));
  await screen.findByText(/If it was not you, log out that device/);
  expect(sent()).toBeUndefined();
  await press(user);
  await screen.findByText('The device has been logged out.');
  expect(sent()).toEqual([{ token: LINK }]);
  expect(screen.getByRole('link', { name: 'Choose a new password' }).getAttribute('href')).toBe('/forgotten');
});

it('the page of the mail about a device leads a user who is logged in to their own details', async () => {
  signIn(makeUser());
  const { user } = showPage(() => ({}));
  await press(user);
  const link = await screen.findByRole('link', { name: 'Choose a new password' });
  expect(link.getAttribute('href')).toBe('/account');
});

it('the page of the mail about a device says when the link no longer works, and where to look', async () => {
  const { user } = showPage(() =>
    rejectWith(404, { error: 'expired', error_type: 'not_found', code: 'token_expired' }),
  );
  await press(user);
  await screen.findByText('This link has expired or has already been used.');
  const link = screen.getByRole('link', { name: 'Log in' });
  expect(link.getAttribute('href')).toBe('/login?redirect=%2Faccount%2Fsecurity');
});

it('the page of the mail about a device keeps the button when the server cannot be reached', async () => {
  const { user } = showPage(() => rejectWith(503, { error: 'Try again.', error_type: 'server' }));
  await press(user);
  await screen.findByRole('alert');
  expect(screen.getByRole('button', { name: 'Log out that device' })).toBeTruthy();
});
