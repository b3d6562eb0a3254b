import { within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { HostedInvoice } from '#contract/calls/hosted-invoices.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { openGuestPage, submitGuestForm, visitGuestPage } from '../../../testing/guest-page.ts';

const bank = (number: string) => ({ name: 'Storylark Books Ltd', sort_code: '20-00-01', number });

const INVOICE: HostedInvoice = {
  id: 31,
  number: 'INV-000042',
  issued_at: '2026-11-24T09:00:00.000Z',
  due_date: '2026-12-24',
  status: 'open',
  subtotal: 14_951,
  vat: 2990,
  total: 17_941,
  is_overdue: false,
  paid_on: null,
  currency: 'gbp',
  po_number: null,
  invoice_pdf: 'https://portal.example/v1/invoices/token.pdf',
  content: {
    seller: { name: 'Storylark Books Ltd', address: [], vat_number: null, email: 'office@storylark.example' },
    school: 'Oak Row',
    bill_to: ['Pat Office'],
    email: 'pat@school.example',
    country_code: 'GBR',
    lines: [
      {
        text: 'Storylark – One-form entry, up to 240 students',
        detail: 'Upgrade for the rest of the current period',
        quantity: 1,
        unit_price_pence: 14_951,
        vat_rate: 2000,
        amount: 14_951,
      },
    ],
    period: { from: '2026-11-24', to: '2027-04-22' },
    vat_rate: 2000,
    bank_account: bank('11111111'),
  },
  credit_note: null,
  can_pay_by_card: false,
  bank_account: bank('22222222'),
};

const GET = 'GET /v1/invoices/token';
const PAY = 'POST /v1/invoices/token/card-payments';
const reply = (more: Partial<HostedInvoice> = {}) => ({ [GET]: () => ({ invoice: { ...INVOICE, ...more } }) });
const showInvoice = (more: Partial<HostedInvoice> = {}) => openGuestPage('/invoices/token', { replies: reply(more) });
const titleOf = (page: Awaited<ReturnType<typeof showInvoice>>) => page.getByRole('heading', { level: 1 }).textContent;

it('the page of an invoice shows the current bank details, not those at the time of issue', async () => {
  const page = await showInvoice();
  expect(titleOf(page)).toBe('Invoice INV-000042');
  const payment = within(page.getByRole('region', { name: 'How to pay' }));
  expect(payment.getByText('22222222')).toBeTruthy();
  expect(payment.queryByText('11111111')).toBeNull();
});

it('the page of an invoice says who to contact if neither card payment nor a bank account is set up', async () => {
  const page = await showInvoice({ bank_account: null });
  expect(titleOf(page)).toBe('How to pay');
  const contact = page.getByRole('region', { name: 'By bank transfer' });
  expect(contact.textContent).toContain('Ask office@storylark.example for our bank details.');
  expect(contact.textContent).not.toContain('11111111');
});

it('the page of an invoice offers only card payment if no bank account is set up', async () => {
  const page = await showInvoice({ bank_account: null, can_pay_by_card: true });
  expect(titleOf(page)).toBe('Invoice INV-000042');
  expect(page.getByRole('button', { name: 'Pay £179.41 by card' })).toBeTruthy();
});

it('the page of an invoice shows the days covered, and what a year costs after them', async () => {
  const due_yearly = { net: 84_000, vat: 16_800, total: 100_800, from: '2027-04-23' };
  const page = await showInvoice({ content: { ...INVOICE.content, due_yearly } });
  expect(page.getByRole('table').textContent).toContain('24 November 2026 to 22 April 2027');
  expect(page.getByText(/^Then £840 a year from 23 April 2027, without VAT/)).toBeTruthy();
});

it('the page of an older invoice shows no yearly price', async () => {
  const page = await showInvoice();
  expect(page.getByRole('table')).toBeTruthy();
  expect(page.queryByText(/a year/)).toBeNull();
});

it('the button to pay by card leads to the page where the card is entered', async () => {
  const url = 'https://pay.example/session';
  const replies = { ...reply({ can_pay_by_card: true }), [PAY]: () => ({ url }) };
  const { page } = await submitGuestForm('/invoices/token', {}, { replies });
  expect(page).toMatchObject({ status: 200, leavesTo: url });
  expect(page!.link('Continue to the card payment')).toBe(url);
});

it('a card payment that cannot start leaves the invoice on the page, which says why', async () => {
  const failure = { status: 409, error: 'This invoice is no longer open.' };
  const replies = { ...reply({ can_pay_by_card: true }), [PAY]: () => failure };
  const { page } = await submitGuestForm('/invoices/token', {}, { replies });
  expect([page!.status, titleOf(page!)]).toEqual([409, 'Invoice INV-000042']);
  expect(page!.getByRole('alert').textContent).toContain('This invoice is no longer open.');
});

it('a guest who returns from the card page reads that the payment has arrived, and a user goes to the thanks', async () => {
  const url = '/invoices/token?payment=received';
  const page = await openGuestPage(url, { replies: reply() });
  expect(page.getByText(/^Thank you. We have received your payment./)).toBeTruthy();
  const me = { 'GET /v1/users/me': () => ({ user: makeUser() }) };
  expect((await visitGuestPage(url, { replies: { ...reply(), ...me } })).to).toBe('/thanks');
});

it('a link to an invoice that does not exist says so with status 404', async () => {
  const page = await openGuestPage('/invoices/token', { replies: { [GET]: () => ({ status: 404, error: 'Gone' }) } });
  expect(page.status).toBe(404);
  expect(page.text).toContain('We cannot find an invoice with this link. Check that the link is complete.');
});

it('the page of an invoice shows the VAT of each rate', async () => {
  const [line] = INVOICE.content.lines;
  if (!line) throw new Error('The invoice has no line.');
  const free = { ...line, text: 'Set-up', amount: 5000, unit_price_pence: 5000, vat_rate: 0 };
  const page = await showInvoice({
    subtotal: 19_951,
    total: 22_941,
    content: { ...INVOICE.content, lines: [line, free] },
  });
  expect(page.getByRole('row', { name: /^VAT at 20%/ }).textContent).toContain('£29.90');
  expect(page.getByRole('row', { name: /^VAT: none charged/ }).textContent).toContain('£0.00');
});
