import { billingCalls } from '#contract/calls/billing.ts';
import { hostedInvoiceCalls } from '#contract/calls/hosted-invoices.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { inSchool } from '../../../database/school.ts';
import { testApp } from '../../../testing/app.ts';
import { CONTACT } from '../../../testing/builder.ts';
import { startFakeStripe } from '../../../testing/fake-stripe.ts';

const stripe = await startFakeStripe();
afterAll(() => stripe.stop());
const app = testApp({
  ...stripe.settings,
  SELLER_NAME: 'Storylark Books Ltd',
  SELLER_ADDRESS: '4 Quill Yard; York; YO1 7AA',
  SELLER_VAT_NUMBER: 'GB 123 4567 89',
  BANK_ACCOUNT: 'Storylark Books Ltd;20-00-01;12345678',
});
beforeEach(() => app.setTime('2026-11-18T12:00:00.000Z'));

const tokenOf = (url: string) => url.split('/').at(-1)?.replace('.pdf', '') ?? '';
const hosted = (invoiceToken: string) => app.call(hostedInvoiceCalls.getHostedInvoice, { params: { invoiceToken } });

async function purchasePackage(more: object = {}) {
  const { id, admin } = await app.build.emptySchool();
  await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', id).execute();
  const asAdmin = { token: admin.token, params: { id } };
  const body = { package_id: 5, contact: CONTACT, po_number: 'PO 2026/118', ...more };
  const { invoice } = (await app.call(billingCalls.subscribe, { ...asAdmin, body })).reply;
  return { id, invoice, token: tokenOf(invoice.hosted_invoice_url) };
}

describe('invoices', () => {
  test('an invoice is emailed to the billing contact once, with a PDF that states every figure', async () => {
    const { invoice, token } = await purchasePackage();
    await app.runJobs();
    await app.runJobs();
    const mails = app.mails.filter(({ subject }) => subject.includes(invoice.number));
    expect(mails).toMatchObject([{ kind: 'invoice', recipient: 'finance@test.example' }]);
    const [attached] = mails[0]?.attachments ?? [];
    expect(attached).toMatchObject({ name: `${invoice.number}.pdf`, type: 'application/pdf' });

    const pdf = await hosted(`${token}.pdf`);
    expect(pdf.headers).toMatchObject({ 'content-type': 'application/pdf' });
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf.bytes)), { mergePages: true });
    for (const bytes of [pdf.bytes, Buffer.from(attached?.content ?? '', 'base64')])
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    for (const part of [
      'Storylark Books Ltd',
      'GB 123 4567 89',
      invoice.number,
      '18 November 2026',
      '18 December 2026',
      'PO 2026/118',
      'Pat Office',
      'SW1A 1AA',
      'One-form entry, up to 240 students',
      '18 November 2026 to 17 November 2027',
      'Renewal from 18 November 2027: £840.00 a year without VAT',
      '£840.00',
      'VAT at 20%',
      '£168.00',
      '£1,008.00',
      '20-00-01',
      '12345678',
    ])
      expect(text).toContain(part);
  });

  test('an invoice is shown to anyone with its link, and to no one else', async () => {
    const { invoice, token } = await purchasePackage();
    const { status, reply } = await hosted(token);
    expect(status).toBe(200);
    expect(reply.invoice).toMatchObject({
      number: invoice.number,
      total: 100_800,
      status: 'open',
      is_overdue: false,
      can_pay_by_card: true,
      content: { vat_rate: 2000, bill_to: ['Pat Office', '1 Mill Lane', 'SW1A 1AA'] },
    });
    for (const wrong of ['A'.repeat(43), 'x', `${'A'.repeat(43)}.pdf`, token.toLowerCase()])
      expect((await hosted(wrong)).status).toBe(404);
  });

  test('an invoice shows today’s bank details on the web, and those of its day of issue in its PDF', async () => {
    const { token } = await purchasePackage();
    const { seller } = app.services.config;
    const issued = seller.bankAccount;
    seller.bankAccount = { name: 'Storylark Books Ltd', sort_code: '30-00-02', number: '87654321' };
    try {
      const { invoice } = (await hosted(token)).reply;
      expect(invoice.bank_account).toEqual(seller.bankAccount);
      expect(invoice.content.bank_account).toEqual(issued);
      const { text } = await extractText(await getDocumentProxy(new Uint8Array((await hosted(`${token}.pdf`)).bytes)), {
        mergePages: true,
      });
      expect(text).toContain('20-00-01');
      expect(text).not.toContain('30-00-02');
      delete seller.bankAccount;
      expect((await hosted(token)).reply.invoice.bank_account).toBeNull();
    } finally {
      seller.bankAccount = issued;
    }
  });

  test('an invoice never changes: not with the school’s name, and not by the school’s database role', async () => {
    const { id, token } = await purchasePackage();
    await app.database.kysely.updateTable('schools').set({ name: 'Renamed' }).where('id', '=', id).execute();
    expect((await hosted(token)).reply.invoice.content.school).not.toBe('Renamed');
    for (const change of [
      { total_pence: 1 },
      { number: 'INV-1' },
      { due_date: '2030-01-01' },
      { locks_on: '2030-01-01' },
    ])
      await expect(
        inSchool(app.database, id, (db) =>
          db.tx.updateTable('invoices').set(change).where('school_id', '=', id).execute(),
        ),
      ).rejects.toMatchObject({ code: '42501' });
    await expect(
      inSchool(app.database, id, (db) => db.tx.deleteFrom('invoices').where('school_id', '=', id).execute()),
    ).rejects.toMatchObject({ code: '42501' });
  });

  test('an invoice with a long name and address fits on one page', async () => {
    const contact = {
      ...CONTACT,
      contact_name: 'Wł '.repeat(60).trim(),
      address_line_2: 'Long Lane '.repeat(19).trim(),
    };
    const { invoice, token } = await purchasePackage({ contact });
    const file = join(await mkdtemp(join(tmpdir(), 'invoice-')), 'invoice.pdf');
    await writeFile(file, (await hosted(`${token}.pdf`)).bytes);
    const printed = await promisify(execFile)('pdftotext', ['-layout', file, '-']).catch(() => undefined);
    // Where pdftotext is not installed, the test above reads the text with a library.
    if (printed) for (const part of [invoice.number, '£1,008.00', 'How to pay']) expect(printed.stdout).toContain(part);
    const pages = (await getDocumentProxy(new Uint8Array((await hosted(`${token}.pdf`)).bytes))).numPages;
    expect(pages).toBe(1);
  });
});
