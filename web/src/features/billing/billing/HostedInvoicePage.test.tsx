// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { HostedInvoice } from '#contract/calls/hosted-invoices.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { renderRoutes } from '../../../testing/render-in-app.tsx';
import HostedInvoicePage from './HostedInvoicePage.tsx';

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

function showInvoice(more: Partial<HostedInvoice> = {}) {
  fakeApi({ 'GET /v1/invoices/token': () => ({ invoice: { ...INVOICE, ...more } }) });
  renderRoutes([{ path: '/invoices/:token', Component: HostedInvoicePage }], '/invoices/token');
}

it('the page of an invoice shows the current bank details, not those at the time of issue', async () => {
  showInvoice();
  await screen.findByRole('heading', { level: 1, name: 'Invoice INV-000042' });
  const payment = within(screen.getByRole('region', { name: 'How to pay' }));
  expect(payment.getByText('22222222')).toBeTruthy();
  expect(payment.queryByText('11111111')).toBeNull();
});

it('the page of an invoice says who to contact if neither card payment nor a bank account is set up', async () => {
  showInvoice({ bank_account: null });
  await screen.findByRole('heading', { level: 1, name: 'How to pay' });
  const contact = screen.getByRole('region', { name: 'By bank transfer' });
  expect(contact.textContent).toContain('Ask office@storylark.example for our bank details.');
  expect(contact.textContent).not.toContain('11111111');
});

it('the page of an invoice offers only card payment if no bank account is set up', async () => {
  showInvoice({ bank_account: null, can_pay_by_card: true });
  await screen.findByRole('heading', { level: 1, name: 'Invoice INV-000042' });
  expect(screen.getByRole('button', { name: 'Pay £179.41 by card' })).toBeTruthy();
});

it('the page of an invoice shows the days covered, and what a year costs after them', async () => {
  const due_yearly = { net: 84_000, vat: 16_800, total: 100_800, from: '2027-04-23' };
  showInvoice({ content: { ...INVOICE.content, due_yearly } });
  expect((await screen.findByRole('table')).textContent).toContain('24 November 2026 to 22 April 2027');
  expect(screen.getByText(/^Then £840 a year from 23 April 2027, without VAT/)).toBeTruthy();
});

it('the page of an older invoice shows no yearly price', async () => {
  showInvoice();
  await screen.findByRole('table');
  expect(screen.queryByText(/a year/)).toBeNull();
});

it('the button to pay by card is released when Back restores the page from memory', async () => {
  vi.stubGlobal('location', { assign: () => {} });
  fakeApi({
    'GET /v1/invoices/token': () => ({ invoice: { ...INVOICE, can_pay_by_card: true } }),
    'POST /v1/invoices/token/card-payments': () => ({ url: 'https://pay.example/session' }),
  });
  const { user } = renderRoutes([{ path: '/invoices/:token', Component: HostedInvoicePage }], '/invoices/token');
  const button = await screen.findByRole('button', { name: 'Pay £179.41 by card' });
  await user.click(button);
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull());
});

it('the page of an invoice shows the VAT of each rate', async () => {
  const [line] = INVOICE.content.lines;
  if (!line) throw new Error('The invoice has no line.');
  const free = { ...line, text: 'Set-up', amount: 5000, unit_price_pence: 5000, vat_rate: 0 };
  showInvoice({ subtotal: 19_951, total: 22_941, content: { ...INVOICE.content, lines: [line, free] } });
  expect((await screen.findByRole('row', { name: /^VAT at 20%/ })).textContent).toContain('£29.90');
  expect(screen.getByRole('row', { name: /^VAT: none charged/ }).textContent).toContain('£0.00');
});
