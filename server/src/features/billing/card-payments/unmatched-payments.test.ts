import { unmatchedPaymentCalls } from '#contract/calls/unmatched-payments.ts';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { startFakeStripe } from '../../../testing/fake-stripe.ts';

const stripe = await startFakeStripe();
afterAll(() => stripe.stop());
const app = testApp({ ...stripe.settings, SUPPORT_EMAIL: 'support@company.example' });
beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  await app.database.kysely.deleteFrom('unmatched_payments').execute();
  await app.runJobs();
  app.mails.length = 0;
});

let eventCount = 0;
const paidEvent = (invoice: string, amount_total: number, session: string, more: object = {}) => ({
  id: `evt_${(eventCount += 1)}`,
  object: 'event',
  type: 'checkout.session.completed',
  data: {
    object: {
      id: session,
      object: 'checkout.session',
      payment_status: 'paid',
      payment_intent: `pi_${session}`,
      amount_total,
      currency: 'gbp',
      metadata: { invoice },
      ...more,
    },
  },
});
const send = async (event: object) =>
  expect((await app.ask('POST', '/stripe/webhook', stripe.sign(event))).status).toBe(200);

const list = async () =>
  (await app.call(unmatchedPaymentCalls.listUnmatchedPayments, { token: (await app.build.operator()).token })).reply
    .payments;
const reconcile = async (sessionId: string) => {
  const { id, token } = await app.build.operator();
  return { id, ...(await app.call(unmatchedPaymentCalls.reconcilePayment, { token, params: { sessionId } })) };
};

test('a payment that settles no invoice is listed with its reason, and emailed to support once', async () => {
  const school = await app.build.emptySchool();
  const { number } = await app.build.invoice(school);
  const differing = paidEvent(number, 57_599, 'cs_1');
  await Promise.all([send(differing), send(differing), send({ ...differing, id: 'evt_repeated' })]);
  app.setTime('2026-11-18T13:00:00.000Z');
  await send(paidEvent(number, 57_600, 'cs_2', { currency: 'usd' }));
  await send(paidEvent(number, 57_600, 'cs_3'));
  app.setTime('2026-11-18T14:00:00.000Z');
  await send(paidEvent(number, 57_600, 'cs_4'));
  app.setTime('2026-11-18T15:00:00.000Z');
  await send(paidEvent('INV-999999', 100, 'cs_5'));

  const invoiceAndSchool = { invoice_number: number, school: { id: school.id, name: school.name } };
  expect(await list()).toEqual([
    {
      ...invoiceAndSchool,
      session_id: 'cs_1',
      reason: 'amount_differs',
      reference: 'pi_cs_1',
      amount: 57_599,
      currency: 'gbp',
      received_at: '2026-11-18T12:00:00.000Z',
    },
    expect.objectContaining({ ...invoiceAndSchool, session_id: 'cs_2', reason: 'amount_differs', currency: 'usd' }),
    expect.objectContaining({ ...invoiceAndSchool, session_id: 'cs_4', reason: 'surplus' }),
    expect.objectContaining({ session_id: 'cs_5', reason: 'unknown_invoice', school: null }),
  ]);
  await app.runJobs();
  const mails = app.mails.filter(({ kind }) => kind === 'unmatched_payment');
  expect(mails.map(({ recipient, subject }) => [recipient, subject]).toSorted()).toEqual(
    [number, number, number, 'INV-999999'].map((invoice) => [
      'support@company.example',
      `Payment to reconcile: ${invoice}`,
    ]),
  );
  const [first] = mails.filter(({ text }) => text.includes('pi_cs_1'));
  expect(first?.text).toContain('575.99 GBP');
});

test('a payment of another product on the same account is not listed', async () => {
  await send(paidEvent('order 7', 100, 'cs_6'));
  await send(paidEvent('', 100, 'cs_7', { metadata: null }));
  await app.runJobs();
  expect([await list(), app.mails]).toEqual([[], []]);
});

test('a payment is reconciled once, by the first operator', async () => {
  await send(paidEvent('INV-999999', 100, 'cs_8'));
  await send(paidEvent('INV-999999', 100, 'cs_9'));
  const both = await Promise.all([reconcile('cs_8'), reconcile('cs_8')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)?.error.code).toBe('payment_already_reconciled');
  expect((await reconcile('cs_unknown')).status).toBe(404);
  expect((await list()).map(({ session_id }) => session_id)).toEqual(['cs_9']);

  const row = await app.database.kysely
    .selectFrom('unmatched_payments')
    .select(['reconciled_at', 'reconciled_by'])
    .where('session_id', '=', 'cs_8')
    .executeTakeFirstOrThrow();
  expect(row).toEqual({
    reconciled_at: new Date('2026-11-18T12:00:00.000Z'),
    reconciled_by: both.find(({ status }) => status === 200)?.id,
  });
});
