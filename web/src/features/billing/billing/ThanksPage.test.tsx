// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Invoice } from '#contract/calls/billing.ts';
import type { School } from '#contract/calls/school.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeInvoice, makeInvoices, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import FeedbackPage from './FeedbackPage.tsx';
import ThanksPage from './ThanksPage.tsx';

/** Opens an address as an admin or a teacher of a school with these invoices. */
function visit(
  address: string,
  invoices: Invoice[],
  school: Partial<School> = {},
  role: 'admin' | 'teacher' = 'admin',
) {
  signIn(makeUser({ enterprise_user_role: role, role }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({
        user_manages: role === 'admin',
        invoices: makeInvoices(role === 'admin' ? invoices : [], school.access === 'locked'),
        ...school,
      }),
    }),
    'GET /v1/enterprises/7/payment-reports': () => ({ reports: [] }),
  });
  return renderRoutes(
    [
      { path: '/thanks', Component: ThanksPage },
      { path: '/feedback/:contact_email?', Component: FeedbackPage },
      { path: '/', element: <h1>Dashboard</h1> },
    ],
    address,
  );
}

const NOW = new Date().toISOString();
const LONG_AGO = '2026-01-05T09:00:00.000Z';
const mainText = () => document.body.textContent;

it('the page after a card payment does not claim that an open invoice is paid', async () => {
  visit('/thanks', [makeInvoice()]);
  await screen.findByText(/it can take a minute until it shows as paid/);
  expect(mainText()).not.toContain('is paid.');
});

it('the page after a card payment confirms a payment that has arrived', async () => {
  visit('/thanks', [makeInvoice({ status: 'paid' })]);
  await screen.findByText('Invoice INV-000042 is paid. You do not need to do anything.');
});

it.each(['credited', 'uncollectible'] as const)(
  'the page after a card payment confirms nothing if the invoice is %s',
  async (status) => {
    visit('/thanks', [makeInvoice({ status })]);
    await screen.findByText('There is no invoice to pay.');
  },
);

it('the page after a card payment shows a teacher no invoice', async () => {
  visit('/thanks', [makeInvoice()], {}, 'teacher');
  await screen.findByText(/your school administrator can see when the payment has arrived/);
  expect(mainText()).not.toContain('INV-');
  expect(screen.queryByRole('link', { name: 'View the subscription' })).toBeNull();
});

it.each(['/thanks', '/feedback', '/feedback/pat@school.example'])(
  '%s redirects to the dashboard without an invoice',
  async (address) => {
    visit(address, []);
    await screen.findByRole('heading', { name: 'Dashboard' });
  },
);

it('the page after a purchase shows the invoice and the billing contact, not the address in the URL', async () => {
  const contacts = [{ type: 'billing', email: 'finance@school.example' }] as School['contacts'];
  visit('/feedback/stranger@elsewhere.example', [makeInvoice({ issued_at: NOW })], { contacts });
  await screen.findByText('Invoice INV-000042 has been generated');
  expect(mainText()).toContain('It is for £1,008.00, due by 24 December 2026.');
  expect(mainText()).toContain('finance@school.example');
  expect(mainText()).not.toContain('stranger@');
  const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect(hrefOf('Download Invoice')).toBe('/v1/invoices/token.pdf');
  expect(hrefOf('Pay Now')).toBe('/invoices/token');
  expect(screen.getByRole('link', { name: 'Enter School Portal' })).toBeTruthy();
});

it('the page after a purchase hides the link into the portal if the URL says so', async () => {
  visit('/feedback/pat@school.example?show_sp_link=false', [makeInvoice({ issued_at: NOW })]);
  await screen.findByText('Invoice INV-000042 has been generated');
  expect(screen.queryByRole('link', { name: 'Enter School Portal' })).toBeNull();
});

it('the page after a purchase names what a locked school has to pay, with no due date to come', async () => {
  visit('/feedback/pat@school.example', [makeInvoice({ issued_at: LONG_AGO, due_date: '2026-02-04' })], {
    access: 'locked',
  });
  await screen.findByText(/This outstanding invoice was unpaid past its due date, 4 February 2026/);
  expect(screen.getByText('Invoice INV-000042 for £1,008.00')).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1, name: 'Payment required' })).toBeTruthy();
  expect(mainText()).not.toMatch(/due by|Thank you|You can start now/);
});

it('the page after a purchase redirects to the dashboard if the invoice was paid long ago', async () => {
  visit('/feedback/pat@school.example', [makeInvoice({ status: 'paid', issued_at: LONG_AGO })]);
  await screen.findByRole('heading', { name: 'Dashboard' });
});

it('the page after a purchase without an email address shows that an invoice is unpaid past its due date', async () => {
  visit('/feedback', [makeInvoice({ due_date: '2026-02-04' })], { access: 'locked' });
  await screen.findByText(/This outstanding invoice was unpaid past its due date, 4 February 2026/);
});

it('the page after a purchase without an email address does not thank for a new invoice', async () => {
  visit('/feedback', [makeInvoice({ issued_at: NOW })]);
  expect(await screen.findByRole('heading', { level: 1, name: 'Payment required' })).toBeTruthy();
  expect(mainText()).not.toMatch(/Thank you|has been generated/);
});

it('the page after a purchase asks a teacher to speak to the school administrator', async () => {
  visit('/feedback/pat@school.example', [], {}, 'teacher');
  await screen.findByText(/please speak to your school administrator/);
  expect(mainText()).not.toContain('INV-');
});
