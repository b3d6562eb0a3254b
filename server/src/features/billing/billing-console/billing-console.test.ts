import { billingCalls } from '#contract/calls/billing.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { hostedInvoiceCalls } from '#contract/calls/hosted-invoices.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { inPlatform } from '../../../database/platform.ts';
import { testApp } from '../../../testing/app.ts';
import { CONTACT } from '../../../testing/builder.ts';
import { runInvoiceCommand } from './invoice-commands.service.ts';

const app = testApp();
beforeEach(() => app.setTime('2026-11-18T12:00:00.000Z'));

const tokenOf = (url: string) => url.split('/').at(-1)?.replace('.pdf', '') ?? '';
const hosted = (invoiceToken: string) => app.call(hostedInvoiceCalls.getHostedInvoice, { params: { invoiceToken } });

async function purchasePackage(more: object = {}) {
  const { id, admin } = await app.build.emptySchool();
  await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', id).execute();
  const asAdmin = { token: admin.token, params: { id } };
  const body = { package_id: 5, contact: CONTACT, po_number: 'PO 2026/118', ...more };
  const { invoice } = (await app.call(billingCalls.subscribe, { ...asAdmin, body })).reply;
  return { id, asAdmin, invoice, token: tokenOf(invoice.hosted_invoice_url) };
}

const logOf = async ({ asAdmin }: Awaited<ReturnType<typeof purchasePackage>>) =>
  (await app.call(schoolCalls.listAuditLog, asAdmin)).reply.entries;

const act = async (
  name: 'markInvoicePaid' | 'markInvoiceUncollectible' | 'creditInvoice',
  number: string,
  body: object,
) => {
  const { token } = await app.build.operator();
  return app.call(billingConsoleCalls[name], { token, params: { invoiceNumber: number }, body: body as never });
};

describe('invoices in the console', () => {
  test('marks an invoice as paid once and records that; rejects an impossible day', async () => {
    const purchase = await purchasePackage();
    const { number } = purchase.invoice;
    for (const paid_on of ['2026-11-19', '2026-11-10'])
      expect((await act('markInvoicePaid', number, { paid_on })).status).toBe(422);
    expect((await act('markInvoicePaid', number, { reference: 'BACS 7' })).reply.invoice).toMatchObject({
      status: 'paid',
      paid_on: '2026-11-18',
    });
    for (const name of ['markInvoicePaid', 'markInvoiceUncollectible'] as const)
      expect((await act(name, number, { reason: 'Again' })).error.code).toBe('invoice_closed');
    expect((await logOf(purchase))[0]).toMatchObject({
      action: 'invoice_paid',
      details: { number, reference: 'BACS 7' },
    });
    expect((await act('markInvoicePaid', 'INV-999999', {})).status).toBe(404);
    expect((await act('markInvoicePaid', 'INV-1;', {})).status).toBe(404);
  });

  test('marking an invoice as uncollectible ends its purchase, and a later payment restores the purchase', async () => {
    const purchase = await purchasePackage();
    const subscription = async () =>
      (await app.call(billingCalls.getSubscription, purchase.asAdmin)).reply.subscription;
    const { reply } = await act('markInvoiceUncollectible', purchase.invoice.number, {
      reason: 'The school has closed',
    });
    expect(reply.invoice).toMatchObject({ status: 'uncollectible' });
    expect(await subscription()).toMatchObject({ has_expired: true, renewal_status: null });
    await act('markInvoicePaid', purchase.invoice.number, {});
    expect(await subscription()).toMatchObject({ has_expired: false, expires_at: '2027-11-17T23:59:59.000Z' });

    await app.call(billingCalls.subscribe, { ...purchase.asAdmin, body: { package_id: 6, contact: CONTACT } });
    const upgrade = (await app.call(schoolCalls.getSchool, { ...purchase.asAdmin, query: { include: 'invoices' } }))
      .reply;
    const number = upgrade.enterprise.invoices?.meta.open_invoice?.number ?? '';
    expect(await subscription()).toMatchObject({ max_readers: 480 });
    await act('markInvoiceUncollectible', number, { reason: 'Not wanted' });
    expect(await subscription()).toMatchObject({ max_readers: 240, has_expired: false });
    await act('markInvoicePaid', number, {});
    expect(await subscription()).toMatchObject({ max_readers: 480 });
  });

  test('credits an invoice once, with a credit note that can end the subscription', async () => {
    const purchase = await purchasePackage();
    const { reply } = await act('creditInvoice', purchase.invoice.number, {
      reason: 'Ordered twice',
      ends_subscription: true,
    });
    expect(reply).toMatchObject({
      invoice: { status: 'credited' },
      credit_note_number: expect.stringMatching(/^CN-\d{6}$/),
    });
    expect((await act('creditInvoice', purchase.invoice.number, { reason: 'Again' })).status).toBe(409);
    const page = await hosted(purchase.token);
    expect(page.reply.invoice).toMatchObject({ can_pay_by_card: false, credit_note: { reason: 'Ordered twice' } });
    const { text, totalPages } = await extractText(
      await getDocumentProxy(new Uint8Array((await hosted(`${purchase.token}.pdf`)).bytes)),
      { mergePages: true },
    );
    expect(totalPages).toBe(2);
    expect(text).toContain('-£1,008.00');
    expect((await app.call(billingCalls.getSubscription, purchase.asAdmin)).reply.subscription?.has_expired).toBe(true);
  });

  test('lists invoices, sums them by month and exports them with consistent amounts', async () => {
    app.setTime('2031-03-01T00:30:00Z');
    const purchase = await purchasePackage({ po_number: '=1+1' });
    const credited = await purchasePackage({ contact: { ...CONTACT, country_code: 'IND', postcode: '110001' } });
    await act('markInvoicePaid', purchase.invoice.number, {});
    await act('creditInvoice', credited.invoice.number, { reason: 'Moved away' });
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
        `^Invoice,${purchase.invoice.number},2031-03-01,${purchase.id},School \\d+,GBR,'=1\\+1,840,20,168,1008,2031-03-31,paid,2031-03-01,$`,
      ),
    );
    expect(csv[3]).toMatch(
      new RegExp(`^Credit note,CN-\\d{6},2031-03-01,.*,-840,0,0,-840,,,,${credited.invoice.number}$`),
    );
    const wrong = await app.call(billingConsoleCalls.exportInvoices, {
      token,
      query: { from: query.to, to: query.from },
    });
    expect(wrong.status).toBe(422);
    const list = { token, query: { status: 'all' as const, school_id: String(purchase.id) } };
    expect((await app.call(billingConsoleCalls.listBilledInvoices, list)).reply).toMatchObject({
      invoices: [{ number: purchase.invoice.number, status: 'paid' }],
      total: 100_800,
    });
  });

  test('settles invoices from the command line, and reports what is not possible', async () => {
    const purchase = await purchasePackage();
    const run = (...words: string[]) =>
      inPlatform(app.database, (db) =>
        runInvoiceCommand(db, words, app.services.config, new Date('2026-11-19T09:00:00Z')),
      );
    const { number } = purchase.invoice;
    expect(await run('due')).toMatch(new RegExp(`${number} {2}due 2026-12-18 {2} +£1008\\.00 {2}School`));
    expect(await run('paid', number, 'BACS', '9')).toBe(`${number} is marked as paid.`);
    await expect(run('uncollectible', number, 'Closed')).rejects.toThrow('does not allow that');
    expect(await run('credit', number, 'A', 'mistake')).toMatch(/is credited by CN-\d{6}\.$/);
    await expect(run('paid', 'INV-999999')).rejects.toThrow('We could not find this invoice');
    expect((await logOf(purchase))[0]).toMatchObject({ actor: null, details: { reason: 'A mistake' } });
  });
});

test('a custom package replaces the current one, free of charge or with an invoice', async () => {
  const school = await app.build.emptySchool();
  const { token } = await app.build.operator();
  const grant = (schoolId: number, body: object) =>
    app.call(billingConsoleCalls.grantCustomPackage, {
      token,
      params: { schoolId },
      body: { title: 'Pilot', price: 0, max_readers: 999, ends_on: '2027-08-31', ...body },
    });
  expect((await grant(school.id, {})).reply).toMatchObject({
    subscription: { payment_provider: 'manual', payment_amount: 0, expires_at: '2027-08-31T22:59:59.000Z' },
    invoice_number: null,
  });
  expect((await grant(school.id, { price: 10 })).error.errors).toHaveProperty('price');
  expect((await grant(school.id, { ends_on: '2026-11-18' })).error.errors).toHaveProperty('ends_on');
  expect((await grant(99_999_999, {})).status).toBe(404);
  const { id } = await purchasePackage();
  expect((await grant(id, { price: 10 })).error.code).toBe('invoice_unpaid');
});

describe('reverted purchases', () => {
  const subscriptionOf = async ({ asAdmin }: Awaited<ReturnType<typeof purchasePackage>>) =>
    (await app.call(billingCalls.getSubscription, asAdmin)).reply.subscription;

  test('reverting a custom package resumes the paid package that it replaced', async () => {
    const purchase = await purchasePackage();
    await act('markInvoicePaid', purchase.invoice.number, {});
    const { token } = await app.build.operator();
    const { reply } = await app.call(billingConsoleCalls.grantCustomPackage, {
      token,
      params: { schoolId: purchase.id },
      body: { title: 'Pilot', price: 10_000, max_readers: 999, ends_on: '2028-08-31' },
    });
    await act('markInvoiceUncollectible', reply.invoice_number ?? '', { reason: 'Not wanted' });
    expect(await subscriptionOf(purchase)).toMatchObject({ package_id: 5, max_readers: 240, has_expired: false });
  });

  test('a reverted purchase stays reverted when it is paid after a later purchase', async () => {
    const purchase = await purchasePackage();
    await act('markInvoiceUncollectible', purchase.invoice.number, { reason: 'No answer' });
    await app.call(billingCalls.subscribe, { ...purchase.asAdmin, body: { package_id: 3, contact: CONTACT } });
    await act('markInvoicePaid', purchase.invoice.number, {});
    expect(await subscriptionOf(purchase)).toMatchObject({ package_id: 3, max_readers: 60, has_expired: false });
  });

  test('rejects a credit note that would end a purchase after a later purchase', async () => {
    const purchase = await purchasePackage();
    const { number } = purchase.invoice;
    await act('markInvoicePaid', number, {});
    await app.call(billingCalls.subscribe, { ...purchase.asAdmin, body: { package_id: 6, contact: CONTACT } });
    const rejected = await act('creditInvoice', number, { reason: 'A mistake', ends_subscription: true });
    expect(rejected).toMatchObject({ status: 409, error: { code: 'subscription_superseded' } });
    expect((await hosted(purchase.token)).reply.invoice.status).toBe('paid');
    const credited = await act('creditInvoice', number, { reason: 'A mistake', ends_subscription: false });
    expect(credited.status).toBe(200);
    expect(await subscriptionOf(purchase)).toMatchObject({ max_readers: 480, has_expired: false });
  });
});
