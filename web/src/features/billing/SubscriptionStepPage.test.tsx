// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeUser } from '../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../testing/render-in-app.tsx';
import { setTimeZone } from '../../testing/set-time-zone.ts';
import SubscriptionStepPage from './SubscriptionStepPage.tsx';

function visit(address: string, role: 'admin' | 'teacher') {
  setTimeZone('Europe/London');
  signIn(makeUser({ enterprise_user_role: role }));
  renderRoutes([{ path: '/subscription/:action', Component: SubscriptionStepPage }], address);
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
  visit('/subscription/renew', 'admin');
  const link = await screen.findByRole('link', { name: 'View the subscription' });
  expect(link.getAttribute('href')).toBe('/subscription');
  expect(screen.queryByText(/please speak to your school administrator/)).toBeNull();
});
