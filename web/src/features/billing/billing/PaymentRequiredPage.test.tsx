// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { School } from '#contract/calls/school.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeInvoice, makeInvoices, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import PaymentRequiredPage from './PaymentRequiredPage.tsx';

const OVERDUE = makeInvoices([makeInvoice({ due_date: '2026-10-01' })], true);
const REPORTS = '/v1/enterprises/7/payment-reports';

function showPage(given: Partial<School>, role: 'admin' | 'teacher' = 'admin') {
  let school = given;
  signIn(makeUser({ enterprise_user_role: role, role }));
  const reports: object[] = [];
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool(school) }),
    'POST /v1/enterprises/7/contacts': (body) => {
      const { contact } = body as { contact: School['contacts'][number] };
      school = { ...school, contacts: [{ ...contact, id: 2 }] };
      return {};
    },
    [`GET ${REPORTS}`]: () => ({ reports }),
    [`POST ${REPORTS}`]: (body) => {
      const report = { ...(body as object), reported_at: new Date().toISOString() };
      reports.push(report);
      return { report };
    },
  });
  const routes = [
    { path: '/payment-required', Component: PaymentRequiredPage },
    { path: '/', element: <h1>Dashboard</h1> },
  ];
  return { ...renderRoutes(routes, '/payment-required?show_sp_link=false'), sent };
}

it('Payment required states for an admin of a locked school what to pay, how to reach us and what stays open', async () => {
  showPage({ access: 'locked', invoices: OVERDUE });
  await screen.findByText('Invoice INV-000042 for £1,008.00');
  expect(screen.getByText(/unpaid past its due date, 1 October 2026, so the account is locked/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Pay Now' }).getAttribute('href')).toBe('/invoices/token');
  expect(screen.getByRole('link', { name: 'Ask us to contact you' }).getAttribute('href')).toBe('/subscription/renew');
  expect(screen.getByRole('heading', { name: 'What you can still do' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'School' }).getAttribute('href')).toBe('/school');
  expect(screen.queryByRole('link', { name: 'Enter School Portal' })).toBeNull();
});

it('a payment can be reported with its reference once a day, without a promise to unlock before it arrives', async () => {
  const { user, sent } = showPage({ access: 'locked', invoices: OVERDUE });
  await user.type(await screen.findByLabelText('Payment reference'), 'BACS 7');
  await user.click(screen.getByRole('button', { name: 'Tell us that you have paid' }));
  expect(
    await screen.findByText(/We’ll record the payment with the reference “BACS 7” as soon as it arrives/),
  ).toBeTruthy();
  expect(sent[`POST ${REPORTS}`]).toEqual([{ invoice_number: 'INV-000042', reference: 'BACS 7' }]);
  expect(screen.queryByRole('button', { name: 'Tell us that you have paid' })).toBeNull();
  expect(screen.getByText(/so the account is locked/)).toBeTruthy();
});

const BURSAR: School['contacts'][number] = {
  id: 1,
  type: 'billing',
  contact_name: 'Bea Bursar',
  job_role: null,
  address_line_1: '1 School Lane',
  address_line_2: null,
  address_line_3: null,
  address_line_4: null,
  postcode: 'M1 1AA',
  country_code: 'GBR',
  telephone: '0161 496 0000',
  email: 'bea@school.example',
};

it('an admin of a locked school changes the billing contact on Payment required, and reads where invoices now go', async () => {
  const { user, sent } = showPage({ access: 'locked', invoices: OVERDUE, contacts: [BURSAR] });
  const section = within(await screen.findByRole('region', { name: 'Who gets invoices and reminders' }));
  expect(section.getByText(/^Invoices and reminders go to Bea Bursar, /).textContent).toContain('bea@school.example.');
  await user.click(section.getByRole('button', { name: 'Change the billing contact' }));
  const email = screen.getByLabelText('Contact email');
  await user.clear(email);
  await user.type(email, 'cleo@school.example');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const saved = await screen.findByText(/^Invoices and reminders now go to Bea Bursar, /);
  expect(saved.textContent).toContain('cleo@school.example.');
  expect(sent['POST /v1/enterprises/7/contacts']).toMatchObject([
    { contact: { type: 'billing', contact_name: 'Bea Bursar', email: 'cleo@school.example' } },
  ]);
});

it('a cancelled change of the billing contact sends nothing', async () => {
  const { user, sent } = showPage({ access: 'locked', invoices: OVERDUE });
  expect(await screen.findByText(/^There is no billing contact/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Change the billing contact' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('heading', { name: 'Who gets invoices and reminders' })).toBeTruthy();
  expect(sent['POST /v1/enterprises/7/contacts']).toBeUndefined();
});

it('Payment required asks a teacher of a locked school to speak to the administrator, without showing the invoice', async () => {
  showPage({ access: 'locked', user_manages: false, invoices: makeInvoices([]) }, 'teacher');
  expect(await screen.findByText(/please speak to your school administrator/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Pay Now' })).toBeNull();
  expect(screen.queryByLabelText('Payment reference')).toBeNull();
  expect(screen.getByRole('link', { name: 'Pupils’ logins' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Teachers' })).toBeNull();
});

it.each(['admin', 'teacher'] as const)(
  'Payment required redirects the %s of an open school without an open invoice to the dashboard',
  async (role) => {
    showPage({ user_manages: role === 'admin', invoices: makeInvoices([makeInvoice({ status: 'paid' })]) }, role);
    await screen.findByRole('heading', { name: 'Dashboard' });
  },
);
