import { billingCalls } from '#contract/calls/billing.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { hostedInvoiceCalls } from '#contract/calls/hosted-invoices.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import pino from 'pino';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { CONTACT } from '../../../testing/builder.ts';
import { startFakeStripe } from '../../../testing/fake-stripe.ts';

const stripe = await startFakeStripe();
afterAll(() => stripe.stop());
const app = testApp({ ...stripe.settings, LOG_LEVEL: 'error' });
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

describe('card payments', () => {
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

  test('a card payment starts on the provider’s page with the invoice’s number and amount, only while the invoice is open', async () => {
    const { invoice, token } = await purchasePackage();
    const { reply } = await pay(token);
    expect(reply.url).toMatch(/^https:\/\/checkout\.stripe\.example\//);
    expect(Object.fromEntries(stripe.sessions.at(-1) ?? [])).toMatchObject({
      mode: 'payment',
      'metadata[invoice]': invoice.number,
      'line_items[0][price_data][unit_amount]': '100800',
      'line_items[0][price_data][currency]': 'gbp',
    });
    for (const [failure, status] of [
      [400, 500],
      [401, 500],
      [500, 503],
    ] as const) {
      stripe.setFailure(failure);
      expect((await pay(token)).status).toBe(status);
    }
    stripe.setFailure(undefined);
    await send(paidEvent(invoice.number, 100_800));
    expect((await pay(token)).error.code).toBe('invoice_not_open');
    expect((await pay('A'.repeat(43))).status).toBe(404);
  });

  test('logs the type and code of the error when Stripe rejects a card payment', async () => {
    const lines: string[] = [];
    Object.assign(app.fastify.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
    const { token } = await purchasePackage();
    stripe.setFailure(400);
    expect((await pay(token)).status).toBe(500);
    stripe.setFailure(undefined);
    expect(lines.join('')).toContain('StripeInvalidRequestError, amount_too_small');
  });

  test('offers card payment from 30p, the provider’s minimum', async () => {
    for (const [net, isOffered] of [
      [25, true],
      [24, false],
    ] as const) {
      const { token } = await app.build.invoice(await app.build.emptySchool(), net);
      expect((await hosted(token)).reply.invoice).toMatchObject({
        total: Math.round(net * 1.2),
        can_pay_by_card: isOffered,
      });
      expect((await pay(token)).error.code).toBe(isOffered ? undefined : 'card_unavailable');
    }
  });

  test('a card payment settles its invoice once if the event arrives ten times at once and again under another ID', async () => {
    const purchase = await purchasePackage();
    const event = paidEvent(purchase.invoice.number, 100_800);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(event)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await send({ ...event, id: 'evt_again' })).status).toBe(200);
    expect(await statusOf(purchase.token)).toBe('paid');
    expect((await logOf(purchase)).map(({ action }) => action)).toEqual([
      'invoice_paid',
      'invoice_issued',
      'subscription_bought',
    ]);
  });

  test('rejects a card event that is unsigned or has no object, and ignores events of other kinds', async () => {
    const { invoice, token } = await purchasePackage();
    const event = paidEvent(invoice.number, 100_800);
    expect((await send(event, 'whsec_wrong')).status).toBe(400);
    expect((await app.ask('POST', '/stripe/webhook', { payload: JSON.stringify(event) })).status).toBe(400);
    for (const data of [undefined, null, {}, { object: null }])
      expect((await send({ ...event, data })).status).toBe(400);
    expect((await send({ ...event, type: 'customer.created', data: { object: {} } })).status).toBe(200);
    expect(await statusOf(token)).toBe('open');
  });

  const hasExpired = async ({ asAdmin }: Awaited<ReturnType<typeof purchasePackage>>) =>
    (await app.call(billingCalls.getSubscription, asAdmin)).reply.subscription?.has_expired;
  const paymentsOf = async (purchase: Awaited<ReturnType<typeof purchasePackage>>) =>
    (await logOf(purchase))
      .map(({ action }) => action)
      .filter((action) => action === 'invoice_paid' || action.startsWith('payment_'));

  test('a card payment settles its invoice once, in every order of completion, failure and success of a slow bank', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
    ]) {
      const purchase = await purchasePackage();
      const { number } = purchase.invoice;
      const unpaid = () => paidEvent(number, 100_800, { payment_status: 'unpaid' });
      const bankEvents = [
        unpaid(),
        { ...unpaid(), type: 'checkout.session.async_payment_failed' },
        { ...paidEvent(number, 100_800), type: 'checkout.session.async_payment_succeeded' },
      ];
      for (const [sentCount, index] of order.entries()) {
        await send(bankEvents[index] ?? {});
        expect(await statusOf(purchase.token)).toBe(order.indexOf(2) <= sentCount ? 'paid' : 'open');
      }
      for (const event of bankEvents.toReversed()) await send(event);
      expect(await statusOf(purchase.token)).toBe('paid');
      expect(await paymentsOf(purchase)).toEqual(['invoice_paid']);
    }
  });

  test('repeated card payments restore an uncollectible purchase once', async () => {
    const purchase = await purchasePackage();
    const { token } = await app.build.operator();
    const request = { token, params: { invoiceNumber: purchase.invoice.number }, body: { reason: 'No answer' } };
    await app.call(billingConsoleCalls.markInvoiceUncollectible, request);
    expect(await hasExpired(purchase)).toBe(true);
    const event = paidEvent(purchase.invoice.number, 100_800);
    await Promise.all([send(event), send(event), send({ ...event, id: 'evt_repeated' })]);
    expect(await statusOf(purchase.token)).toBe('paid');
    expect(await hasExpired(purchase)).toBe(false);
    expect(await paymentsOf(purchase)).toEqual(['invoice_paid']);
  });

  test('a card payment of another amount or currency, or for a settled or unknown invoice, changes nothing and is recorded', async () => {
    const purchase = await purchasePackage();
    const { number } = purchase.invoice;
    await send(paidEvent(number, 100_799));
    await send(paidEvent(number, 100_800, { currency: 'usd' }, 'cs_dollars'));
    expect(await statusOf(purchase.token)).toBe('open');
    await send(paidEvent(number, 100_800, {}, 'cs_second'));
    await send(paidEvent(number, 100_800, {}, 'cs_third'));
    expect((await logOf(purchase)).map(({ action }) => action).slice(0, 4)).toEqual([
      'payment_surplus',
      'invoice_paid',
      'payment_differs',
      'payment_differs',
    ]);
    expect((await send(paidEvent('INV-999999', 1))).status).toBe(200);
    expect((await send(paidEvent('', 1, { metadata: null }, 'cs_none'))).status).toBe(200);
  });
});
