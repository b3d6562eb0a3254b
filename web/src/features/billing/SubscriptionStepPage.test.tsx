// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderRoutes } from '../../testing/render-in-app.tsx';
import { setTimeZone } from '../../testing/set-time-zone.ts';
import SubscriptionStepPage from './SubscriptionStepPage.tsx';

function openStep(action: string) {
  setTimeZone('Europe/London');
  const routes = [
    { path: '/subscription/:action', Component: SubscriptionStepPage },
    { path: '/logout', element: <h1>Log out</h1> },
  ];
  renderRoutes(routes, `/subscription/${action}`);
}

it.each([
  ['register', 'Start a subscription'],
  ['start', 'Start a subscription'],
  ['renew', 'Renew your subscription'],
  ['warning', 'For schools only'],
  ['elsewhere', 'Log out'],
  ['Start', 'Log out'],
])('/subscription/%s shows a guest the page “%s”', async (action, title) => {
  openStep(action);
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy();
});
