// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { School } from '#contract/calls/school.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makePackage, makeUnavailablePackage } from '../../../testing/make-package.ts';
import { makeSchool, makeSubscription, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import { setTimeZone } from '../../../testing/set-time-zone.ts';
import SelectSubscriptionPage from './SelectSubscriptionPage.tsx';
import SubscriptionStepPage from './SubscriptionStepPage.tsx';

const TRIAL = makeUnavailablePackage(null, { id: 1, title: 'Free trial', is_trial: true, price: 0 });
const ROUTES = [
  { path: '/select-subscription', Component: SelectSubscriptionPage },
  { path: '/subscription/:action', Component: SubscriptionStepPage },
  { path: '/logout', element: <h1>Log out</h1> },
];

function visit(address: string, timeZone: string, school?: Partial<School>, user = makeUser()) {
  setTimeZone(timeZone);
  const role = user.enterprise_user_role;
  if (school) signIn(user);
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ user_manages: role === 'admin', ...school }),
    }),
    'GET /v1/enterprises/7/subscriptions/packages': () => ({ packages: [TRIAL, makePackage()] }),
  });
  return renderRoutes(ROUTES, address);
}

const NEW = { access: 'none', subscription: null } as const;
const EXPIRED = { access: 'expired', subscription: makeSubscription({ has_expired: true }) } as const;

it('the choice of a package offers a new school the trial first, without the links for a closed school', async () => {
  visit('/select-subscription', 'Europe/London', NEW);
  await screen.findByRole('button', { name: 'Start free trial' });
  expect(screen.getByText(/You can try Storylark free for 30 days first./)).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'What you can still do' })).toBeNull();
});

it('the choice of a package shows a new school outside the time zone of London the contact form, without a promise of a trial', async () => {
  visit('/select-subscription', 'Asia/Kolkata', NEW);
  await screen.findByRole('button', { name: 'Send request' });
  expect(screen.getByText(/Outside the United Kingdom, we set Storylark up together with you/)).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/trial|free for 30 days/i);
  expect(screen.getByRole('button', { name: 'Log out' })).toBeTruthy();
});

it.each(['Europe/London', 'Asia/Kolkata'])(
  'the choice of a package offers packages to a school with an expired subscription in %s',
  async (zone) => {
    visit('/select-subscription?show_sp_link=false', zone, EXPIRED);
    await screen.findByRole('link', { name: 'Choose One-form entry' });
    expect(screen.getByRole('heading', { level: 1, name: 'Your subscription has expired' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'How to contact us' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'What you can still do' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Enter School Portal' })).toBeNull();
  },
);

it('asks a teacher of an expired school to speak to the administrator', async () => {
  visit(
    '/select-subscription?show_sp_link=false',
    'Europe/London',
    EXPIRED,
    makeUser({ enterprise_user_role: 'teacher', role: 'teacher' }),
  );
  await screen.findByRole('heading', { level: 1, name: 'Your subscription has expired' });
  expect(screen.getByText(/To renew the subscription, please speak to your school\s+administrator/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: /^Choose/ })).toBeNull();
  expect(screen.getByRole('link', { name: 'Pupils’ logins' })).toBeTruthy();
});

it.each(['register', 'start'])(
  '/subscription/%s outside the time zone of London shows a guest the contact form and Register school',
  async (action) => {
    visit(`/subscription/${action}`, 'America/New_York');
    await screen.findByRole('button', { name: 'Send request' });
    expect(screen.getByRole('link', { name: 'Register school' })).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/trial|free for 30 days/i);
  },
);

it('shows a guest in London the way to a package or a trial', async () => {
  visit('/subscription/start', 'Europe/London');
  await screen.findByRole('link', { name: 'Register your school' });
  expect(screen.queryByRole('button', { name: 'Send request' })).toBeNull();
});

it.each([
  ['register', 'Start a subscription'],
  ['start', 'Start a subscription'],
  ['renew', 'Renew your subscription'],
  ['warning', 'For schools only'],
  ['elsewhere', 'Log out'],
  ['Start', 'Log out'],
])('/subscription/%s shows a guest the page “%s”', async (action, title) => {
  visit(`/subscription/${action}`, 'Europe/London');
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy();
});

it('lets a registered user abroad without a school log out or register one', async () => {
  const stranger = makeUser({ enterprise: null, enterprise_id: null, enterprise_user_role: null, role: null });
  visit('/subscription/register', 'Asia/Kolkata', NEW, stranger);
  await screen.findByRole('button', { name: 'Send request' });
  expect(screen.getByRole('link', { name: 'Register school' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Log out' })).toBeTruthy();
});
