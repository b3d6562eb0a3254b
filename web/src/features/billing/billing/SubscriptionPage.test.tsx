// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { School } from '#contract/calls/school.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makePackage } from '../../../testing/make-package.ts';
import { makeInvoice, makeInvoices, makeSchool, makeSubscription, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import { setTimeZone } from '../../../testing/set-time-zone.ts';
import SubscriptionPage from './SubscriptionPage.tsx';

const NEAR_END = { is_nearing_end: true, num_of_days_before_end: 29 };

function renderPage(more: Partial<School>, timeZone = 'Europe/London') {
  setTimeZone(timeZone);
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool(more) }),
    'GET /v1/enterprises/7/subscriptions/packages': () => ({ packages: [makePackage()] }),
  });
  renderInApp(<SubscriptionPage />, '/subscription');
}

/** Renders the page, and returns its section about the subscription. */
async function showPage(more: Partial<School>) {
  renderPage(more);
  return within(await screen.findByRole('region', { name: 'Your subscription' }));
}

it('the subscription shows how many places are used', async () => {
  const section = await showPage({ readers_count: 90, subscription: makeSubscription({ max_readers: 120 }) });
  expect(section.getByText('90 of 120')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Packages' })).toBeTruthy();
  expect(section.queryByRole('link', { name: 'Extend' })).toBeNull();
});

it('the page of the subscription shows the packages to choose from and a table of the invoices', async () => {
  await showPage({ invoices: makeInvoices([makeInvoice({ status: 'paid' })]) });
  expect(await screen.findByRole('link', { name: 'Choose One-form entry' })).toBeTruthy();
  const table = within(screen.getByRole('table', { name: 'Invoices' }));
  expect(table.getByRole('link', { name: 'INV-000042' }).getAttribute('href')).toBe('/invoices/token');
});

it('the subscription shows the next package and when it starts', async () => {
  const next_period = {
    from: '2027-04-23',
    to: '2028-04-22',
    package_id: 2,
    title: 'Small group',
    max_readers: 30,
    price: 15_000,
  };
  const section = await showPage({ subscription: makeSubscription({ next_period }) });
  const next = section.getByText('From 23 April 2027').parentElement;
  expect(next?.textContent).toContain('Small group');
  expect(next?.textContent).toContain('Up to 30 students');
});

it('the page of a subscription near its end offers to extend the package, or to change it at renewal', async () => {
  const section = await showPage({ subscription: makeSubscription({ meta: NEAR_END }) });
  expect(screen.getByRole('heading', { name: 'Change package at renewal' })).toBeTruthy();
  expect(section.getByRole('link', { name: 'Extend' }).getAttribute('href')).toBe('/fill-billing-details?package=5');
});

it.each([
  [
    'with an unpaid invoice',
    { invoices: makeInvoices([makeInvoice()]), subscription: makeSubscription({ meta: NEAR_END }) },
  ],
  [
    'for a custom package',
    { subscription: makeSubscription({ meta: NEAR_END, payment_provider: 'manual', package_id: null }) },
  ],
  ['in a trial', { subscription: makeSubscription({ meta: NEAR_END, is_trial: true }) }],
])('the page of the subscription offers no extension %s', async (_, school) => {
  const section = await showPage(school);
  expect(section.queryByRole('link', { name: 'Extend' })).toBeNull();
});

it('shows a subscription whose payment is awaited as processing, without an invoice to pay', async () => {
  const subscription = makeSubscription({ renewal_status: 'awaiting_payment' });
  const section = await showPage({ subscription });
  expect(section.getByText('processing')).toBeTruthy();
});

it.each([
  ['its invoice is open', makeInvoices([makeInvoice()]), 'awaiting_payment'],
  ['its invoice is overdue', makeInvoices([makeInvoice({ due_date: '2026-01-05' })], true), 'awaiting_payment'],
  ['nothing awaits a payment', makeInvoices([]), null],
])('shows no subscription as processing when %s', async (_, invoices, renewal_status) => {
  const section = await showPage({ invoices, subscription: makeSubscription({ renewal_status }) });
  expect(section.queryByText('processing')).toBeNull();
});

it('the page of the subscription shows a new school outside the time zone of London the contact form, without a promise of a trial', async () => {
  renderPage({ access: 'none', subscription: null }, 'Asia/Kolkata');
  await screen.findByRole('button', { name: 'Send request' });
  expect(document.body.textContent).not.toMatch(/trial/i);
  expect(screen.queryByRole('link', { name: /^Choose/ })).toBeNull();
});
