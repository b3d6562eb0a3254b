import { billingCalls } from '#contract/calls/billing.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { hostedInvoiceCalls } from '#contract/calls/hosted-invoices.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractText, getDocumentProxy } from '../../testing/read-pdf.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { inPlatform } from '../../database/platform.ts';
import { inSchool } from '../../database/school.ts';
import { testApp } from '../../testing/app.ts';
import { CONTACT } from '../../testing/builder.ts';
import { startFakeStripe } from '../../testing/fake-stripe.ts';
import { runInvoiceCommand } from './invoice-commands.service.ts';

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

async function bought(more: object = {}) {
  const { id, admin } = await app.build.emptySchool();
  await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', id).execute();
  const own = { token: admin.token, params: { id } };
  const body = { package_id: 5, contact: CONTACT, po_number: 'PO 2026/118', ...more };
  const { invoice } = (await app.call(billingCalls.subscribe, { ...own, body })).reply;
  return { id, own, invoice, token: tokenOf(invoice.hosted_invoice_url) };
}

const logOf = async ({ own }: Awaited<ReturnType<typeof bought>>) =>
  (await app.call(schoolCalls.listAuditLog, own)).reply.entries;

describe('an invoice', () => {
  test('goes to the billing contact by mail, once, with its PDF, which holds every figure', async () => {
    const { invoice, token } = await bought();
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
      '£840.00',
      'VAT at 20%',
      '£168.00',
      '£1,008.00',
      '20-00-01',
      '12345678',
    ])
      expect(text).toContain(part);
  });

  test('is shown to whoever holds its link, and to nobody else', async () => {
    const { invoice, token } = await bought();
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

  test('says for ever what it said: neither names nor rates change it, nor can the school’s role', async () => {
    const { id, token } = await bought();
    await app.database.kysely.updateTable('schools').set({ name: 'Renamed' }).where('id', '=', id).execute();
    expect((await hosted(token)).reply.invoice.content.school).not.toBe('Renamed');
    for (const change of [{ total_pence: 1 }, { number: 'INV-1' }, { due_date: '2030-01-01' }])
      await expect(
        inSchool(app.database, id, (db) =>
          db.tx.updateTable('invoices').set(change).where('school_id', '=', id).execute(),
        ),
      ).rejects.toMatchObject({ code: '42501' });
    await expect(
      inSchool(app.database, id, (db) => db.tx.deleteFrom('invoices').where('school_id', '=', id).execute()),
    ).rejects.toMatchObject({ code: '42501' });
  });

  test('over a long name and address still fits on its page, read back by pdftotext', async () => {
    const contact = {
      ...CONTACT,
      contact_name: 'Wł '.repeat(60).trim(),
      address_line_2: 'Long Lane '.repeat(19).trim(),
    };
    const { invoice, token } = await bought({ contact });
    const file = join(await mkdtemp(join(tmpdir(), 'invoice-')), 'invoice.pdf');
    await writeFile(file, (await hosted(`${token}.pdf`)).bytes);
    const printed = await promisify(execFile)('pdftotext', ['-layout', file, '-']).catch(() => undefined);
    // Where the program is not installed, the test above reads the same by a library.
    if (printed) for (const part of [invoice.number, '£1,008.00', 'How to pay']) expect(printed.stdout).toContain(part);
    const pages = (await getDocumentProxy(new Uint8Array((await hosted(`${token}.pdf`)).bytes))).numPages;
    expect(pages).toBe(1);
  });
});

describe('what an operator does with an invoice', () => {
  const act = async (
    name: 'markInvoicePaid' | 'markInvoiceUncollectible' | 'creditInvoice',
    number: string,
    body: object,
  ) => {
    const { token } = await app.build.operator();
    return app.call(billingConsoleCalls[name], { token, params: { invoiceNumber: number }, body: body as never });
  };

  test('is paid, once, and on record; a day that cannot be is refused', async () => {
    const sale = await bought();
    const { number } = sale.invoice;
    for (const paid_on of ['2026-11-19', '2026-11-10'])
      expect((await act('markInvoicePaid', number, { paid_on })).status).toBe(422);
    expect((await act('markInvoicePaid', number, { reference: 'BACS 7' })).reply.invoice).toMatchObject({
      status: 'paid',
      paid_on: '2026-11-18',
    });
    for (const name of ['markInvoicePaid', 'markInvoiceUncollectible'] as const)
      expect((await act(name, number, { reason: 'Again' })).error.code).toBe('invoice_closed');
    expect((await logOf(sale))[0]).toMatchObject({ action: 'invoice_paid', details: { number, reference: 'BACS 7' } });
    expect((await act('markInvoicePaid', 'INV-999999', {})).status).toBe(404);
    expect((await act('markInvoicePaid', 'INV-1;', {})).status).toBe(404);
  });

  test('is given up with what was bought, and comes back when it is paid after all', async () => {
    const sale = await bought();
    const subscription = async () => (await app.call(billingCalls.getSubscription, sale.own)).reply.subscription;
    await act('markInvoiceUncollectible', sale.invoice.number, { reason: 'The school has closed' });
    expect(await subscription()).toMatchObject({ has_expired: true, renewal_status: null });
    await act('markInvoicePaid', sale.invoice.number, {});
    expect(await subscription()).toMatchObject({ has_expired: false, expires_at: '2027-11-17T23:59:59.000Z' });

    await app.call(billingCalls.subscribe, { ...sale.own, body: { package_id: 6, contact: CONTACT } });
    const upgrade = (await app.call(schoolCalls.getSchool, { ...sale.own, query: { include: 'invoices' } })).reply;
    const number = upgrade.enterprise.invoices?.meta.open_invoice?.number ?? '';
    expect(await subscription()).toMatchObject({ max_readers: 480 });
    await act('markInvoiceUncollectible', number, { reason: 'Not wanted' });
    expect(await subscription()).toMatchObject({ max_readers: 240, has_expired: false });
    await act('markInvoicePaid', number, {});
    expect(await subscription()).toMatchObject({ max_readers: 480 });
  });

  test('is credited by a note of its own, once, with or without the end of what was bought', async () => {
    const sale = await bought();
    const { reply } = await act('creditInvoice', sale.invoice.number, {
      reason: 'Ordered twice',
      ends_subscription: true,
    });
    expect(reply).toMatchObject({
      invoice: { status: 'credited' },
      credit_note_number: expect.stringMatching(/^CN-\d{6}$/),
    });
    expect((await act('creditInvoice', sale.invoice.number, { reason: 'Again' })).status).toBe(409);
    const page = await hosted(sale.token);
    expect(page.reply.invoice).toMatchObject({ can_pay_by_card: false, credit_note: { reason: 'Ordered twice' } });
    const { text, totalPages } = await extractText(
      await getDocumentProxy(new Uint8Array((await hosted(`${sale.token}.pdf`)).bytes)),
      { mergePages: true },
    );
    expect(totalPages).toBe(2);
    expect(text).toContain('-£1,008.00');
    expect((await app.call(billingCalls.getSubscription, sale.own)).reply.subscription?.has_expired).toBe(true);
  });

  test('is listed, summed by month and exported, with amounts that add up', async () => {
    app.setTime('2031-03-01T00:30:00Z');
    const sale = await bought({ po_number: '=1+1' });
    const other = await bought({ contact: { ...CONTACT, country_code: 'IND', postcode: '110001' } });
    await act('markInvoicePaid', sale.invoice.number, {});
    await act('creditInvoice', other.invoice.number, { reason: 'Moved away' });
    app.setTime('2031-03-31T22:59:59Z');
    const { token } = await app.build.operator();
    const { months } = (await app.call(billingConsoleCalls.listRevenue, { token })).reply;
    expect(months).toEqual([
      { month: '2031-03-01', invoices: 2, subtotal: 168_000, vat: 16_800, credited: 84_000, paid: 100_800 },
    ]);
    const query = { from: '2031-03-01', to: '2031-03-31' };
    const csv = (await app.call(billingConsoleCalls.exportInvoices, { token, query })).text.trim().split('\r\n');
    expect(csv).toHaveLength(4);
    expect(csv[1]).toMatch(
      new RegExp(
        `^Invoice,${sale.invoice.number},2031-03-01,${sale.id},School \\d+,GBR,'=1\\+1,840,20,168,1008,2031-03-31,paid,2031-03-01,$`,
      ),
    );
    expect(csv[3]).toMatch(
      new RegExp(`^Credit note,CN-\\d{6},2031-03-01,.*,-840,0,0,-840,,,,${other.invoice.number}$`),
    );
    const wrong = await app.call(billingConsoleCalls.exportInvoices, {
      token,
      query: { from: query.to, to: query.from },
    });
    expect(wrong.status).toBe(422);
    const list = { token, query: { status: 'all' as const, school_id: String(sale.id) } };
    expect((await app.call(billingConsoleCalls.listBilledInvoices, list)).reply).toMatchObject({
      invoices: [{ number: sale.invoice.number, status: 'paid' }],
      total: 100_800,
    });
  });

  test('is done from the command line too, and says what cannot be', async () => {
    const sale = await bought();
    const run = (...words: string[]) =>
      inPlatform(app.database, (db) =>
        runInvoiceCommand(db, words, app.services.config, new Date('2026-11-19T09:00:00Z')),
      );
    const { number } = sale.invoice;
    expect(await run('due')).toMatch(new RegExp(`${number} {2}due 2026-12-18 {2} +£1008\\.00 {2}School`));
    expect(await run('paid', number, 'BACS', '9')).toBe(`${number} is marked as paid.`);
    await expect(run('uncollectible', number, 'Closed')).rejects.toThrow('does not allow that');
    expect(await run('credit', number, 'A', 'mistake')).toMatch(/is credited by CN-\d{6}\.$/);
    await expect(run('paid', 'INV-999999')).rejects.toThrow('There is no such invoice');
    expect((await logOf(sale))[0]).toMatchObject({ actor: null, details: { reason: 'A mistake' } });
  });
});

test('a custom package replaces the present one, complimentary or with an invoice', async () => {
  const school = await app.build.emptySchool();
  const { token } = await app.build.operator();
  const give = (schoolId: number, body: object) =>
    app.call(billingConsoleCalls.giveCustomPackage, {
      token,
      params: { schoolId },
      body: { title: 'Pilot', price: 0, max_readers: 999, ends_on: '2027-08-31', ...body },
    });
  expect((await give(school.id, {})).reply).toMatchObject({
    subscription: { payment_provider: 'manual', payment_amount: 0, expires_at: '2027-08-31T22:59:59.000Z' },
    invoice_number: null,
  });
  expect((await give(school.id, { price: 10 })).error.errors).toHaveProperty('price');
  expect((await give(school.id, { ends_on: '2026-11-18' })).error.errors).toHaveProperty('ends_on');
  expect((await give(99_999_999, {})).status).toBe(404);
  const { id } = await bought();
  expect((await give(id, { price: 10 })).error.code).toBe('invoice_unpaid');
});

describe('payment by card', () => {
  const pay = (invoiceToken: string) => app.call(hostedInvoiceCalls.payInvoiceByCard, { params: { invoiceToken } });
  let events = 0;
  const paidEvent = (number: string, amount_total: number, more: object = {}, session = `cs_${number}`) => ({
    id: `evt_${(events += 1)}`,
    object: 'event',
    type: 'checkout.session.completed',
    data: {
      object: {
        id: session,
        object: 'checkout.session',
        payment_status: 'paid',
        payment_intent: `pi_${number}`,
        amount_total,
        currency: 'gbp',
        metadata: { invoice: number },
        ...more,
      },
    },
  });
  const send = (event: object, secret?: string) => app.ask('POST', '/stripe/webhook', stripe.sign(event, secret));
  const statusOf = async (token: string) => (await hosted(token)).reply.invoice.status;

  test('begins on the provider’s page with the invoice’s number and amount, and only while it is open', async () => {
    const { invoice, token } = await bought();
    const { reply } = await pay(token);
    expect(reply.url).toMatch(/^https:\/\/checkout\.stripe\.example\//);
    expect(Object.fromEntries(stripe.sessions.at(-1) ?? [])).toMatchObject({
      mode: 'payment',
      'metadata[invoice]': invoice.number,
      'line_items[0][price_data][unit_amount]': '100800',
      'line_items[0][price_data][currency]': 'gbp',
    });
    stripe.setBroken(true);
    expect((await pay(token)).status).toBe(503);
    stripe.setBroken(false);
    await send(paidEvent(invoice.number, 100_800));
    expect((await pay(token)).error.code).toBe('invoice_not_open');
    expect((await pay('A'.repeat(43))).status).toBe(404);
  });

  test('settles the invoice once, of an event that comes ten times at once and again under another id', async () => {
    const sale = await bought();
    const event = paidEvent(sale.invoice.number, 100_800);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(event)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await send({ ...event, id: 'evt_again' })).status).toBe(200);
    expect(await statusOf(sale.token)).toBe('paid');
    expect((await logOf(sale)).map(({ action }) => action)).toEqual([
      'invoice_paid',
      'invoice_issued',
      'subscription_bought',
    ]);
  });

  test('waits for a slow bank, whatever comes first, and takes nothing unsigned', async () => {
    const { invoice, token } = await bought();
    const event = paidEvent(invoice.number, 100_800);
    expect((await send(event, 'whsec_wrong')).status).toBe(400);
    expect((await app.ask('POST', '/stripe/webhook', { payload: JSON.stringify(event) })).status).toBe(400);
    expect(await statusOf(token)).toBe('open');
    // The success arrives before the completion that it follows.
    await send({ ...event, type: 'checkout.session.async_payment_succeeded' });
    expect(await statusOf(token)).toBe('paid');
    expect((await send(paidEvent(invoice.number, 100_800, { payment_status: 'unpaid' }))).status).toBe(200);
    expect(
      (await send({ id: 'evt_other', object: 'event', type: 'customer.created', data: { object: {} } })).status,
    ).toBe(200);
    expect(await statusOf(token)).toBe('paid');
  });

  test('of another amount, of a settled or of an unknown invoice changes nothing, and is on record', async () => {
    const sale = await bought();
    const { number } = sale.invoice;
    await send(paidEvent(number, 100_799));
    expect(await statusOf(sale.token)).toBe('open');
    await send(paidEvent(number, 100_800, {}, 'cs_second'));
    await send(paidEvent(number, 100_800, {}, 'cs_third'));
    expect((await logOf(sale)).map(({ action }) => action).slice(0, 3)).toEqual([
      'payment_surplus',
      'invoice_paid',
      'payment_differs',
    ]);
    expect((await send(paidEvent('INV-999999', 1))).status).toBe(200);
    expect((await send(paidEvent('', 1, { metadata: null }, 'cs_none'))).status).toBe(200);
  });
});
