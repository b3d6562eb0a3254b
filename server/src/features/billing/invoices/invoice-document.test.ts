import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { renderInvoice } from './invoice.document.ts';

const LINE = {
  text: 'Storylark – One-form entry, up to 240 students',
  detail: 'Upgrade for the rest of the current period',
  amount: 18_049,
  quantity: 1,
  unit_price_pence: 18_049,
  vat_rate: 2000,
};

const issued = {
  number: 'INV-000042',
  issuedOn: '2026-07-01',
  dueOn: '2026-07-31',
  subtotal: 18_049,
  vat: 3610,
  total: 21_659,
  poNumber: 'PO 118',
  content: {
    seller: {
      name: 'Storylark Books Ltd',
      address: ['4 Quill Yard', 'York'],
      vat_number: 'GB 123',
      email: 'office@storylark.example',
    },
    school: 'Oakfield',
    bill_to: ['Pat Office', '1 Mill Lane', 'SW1A 1AA'],
    email: 'pat@oakfield.example',
    country_code: 'GBR',
    lines: [LINE],
    period: { from: '2026-07-01', to: '2026-11-17' },
    vat_rate: 2000,
    bank_account: { name: 'Storylark Books Ltd', sort_code: '20-00-01', number: '12345678' },
  },
  url: 'https://portal.example/invoices/token',
  creditNote: { number: 'CN-000001', issuedOn: '2026-07-09', reason: 'Ordered twice' },
};

/** Recorded from the version that issued invoices before their lines had a quantity and a unit price. */
const SHA_256 = 'd3a7a96b942c9c508d32f958e855bdd1be16385fed3072076823f7161c67deda';

test('an issued invoice keeps its PDF byte for byte', async () => {
  const first = Buffer.from(await renderInvoice(issued));
  expect(Buffer.from(await renderInvoice(issued)).equals(first)).toBe(true);
  // The date of rendering and the id made from it, which the file had before.
  const bytes = first
    .toString('latin1')
    .replaceAll(/\(D:\d+Z\)/g, '')
    .replaceAll(/\/ID \[[^\]]*\]/g, '');
  expect(createHash('sha256').update(bytes, 'latin1').digest('hex')).toBe(SHA_256);
});
