// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import { setTimeZone } from '../../../testing/set-time-zone.ts';
import SubscriptionStepPage from './SubscriptionStepPage.tsx';

function visit(address: string, role: 'admin' | 'teacher' = 'admin', timeZone = 'Europe/London') {
  setTimeZone(timeZone);
  signIn(makeUser({ enterprise_user_role: role, role }));
  return renderRoutes([{ path: '/subscription/:action', Component: SubscriptionStepPage }], address);
}

it.each([
  ['renew', 'To renew the subscription of your school, please speak to your school administrator.'],
  ['start', 'To start a subscription, please speak to your school administrator.'],
])('/subscription/%s says to a teacher “%s”', async (action, text) => {
  visit(`/subscription/${action}`, 'teacher');
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByRole('link', { name: /subscription|package/ })).toBeNull();
});

it('/subscription/renew leads an admin to the subscription', async () => {
  visit('/subscription/renew');
  const link = await screen.findByRole('link', { name: 'View the subscription' });
  expect(link.getAttribute('href')).toBe('/subscription');
  expect(screen.queryByText(/please speak to your school administrator/)).toBeNull();
});

it.each(['start', 'renew'])('/subscription/%s sends a contact request and confirms it', async (action) => {
  const sent = fakeApi({ [`POST /v1/contactus/subscriptions/${action}`]: () => ({}) });
  const { user } = visit(`/subscription/${action}`, 'admin', 'Asia/Kolkata');
  await user.type(await screen.findByLabelText('Contact number'), '020 7946 0000');
  await user.click(screen.getByRole('radio', { name: 'Email' }));
  await user.click(screen.getByRole('button', { name: 'Send request' }));
  await screen.findByText(
    "Thanks, we've received your request and will attempt to contact you at your requested time.",
  );
  expect(sent).toEqual({
    [`POST /v1/contactus/subscriptions/${action}`]: [
      { time: 10, contact_number: '020 7946 0000', email: 'ada@school.example', contact_preference: 'email' },
    ],
  });
});
