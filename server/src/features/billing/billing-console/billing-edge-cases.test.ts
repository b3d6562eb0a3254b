import { billingCalls } from '#contract/calls/billing.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { hostedInvoiceCalls } from '#contract/calls/hosted-invoices.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '../../../clock.ts';
import { testApp } from '../../../testing/app.ts';
import { CONTACT } from '../../../testing/builder.ts';
import { startFakeStripe } from '../../../testing/fake-stripe.ts';

const stripe = await startFakeStripe();
afterAll(() => stripe.stop());
const app = testApp(stripe.settings);

interface School {
  id: number;
  token: string;
}

/** Moves the clock, and keeps everyone logged in. */
async function moveTo(moment: string): Promise<void> {
  app.setTime(moment);
  await app.database.kysely
    .updateTable('sessions')
    .set({ last_used_at: new Date(moment), expires_at: new Date('2050-01-01') })
    .execute();
}
beforeEach(() => app.setTime('2026-11-18T12:00:00.000Z'));

async function newSchool(): Promise<School> {
  const { id, admin } = await app.build.emptySchool();
  await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', id).execute();
  return { id, token: admin.token };
}
const as = ({ id, token }: School) => ({ token, params: { id } });
const buy = (school: School, package_id: number, more: object = {}) =>
  app.call(billingCalls.subscribe, { ...as(school), body: { package_id, contact: CONTACT, ...more } });
const getMeta = async ({ id, token }: School, packageId: number) =>
  (await app.call(billingCalls.getPackage, { token, params: { id, packageId } })).reply.meta;
const getSubscription = async (school: School) =>
  (await app.call(billingCalls.getSubscription, as(school))).reply.subscription;
const listInvoices = async (school: School) =>
  (await app.call(schoolCalls.getSchool, { ...as(school), query: { include: 'invoices' } })).reply.enterprise.invoices
    ?.data ?? [];

type Action = 'markInvoicePaid' | 'markInvoiceUncollectible' | 'creditInvoice';
async function settle(name: Action, invoiceNumber: string, body: object = {}) {
  const { token } = await app.build.operator();
  return app.call(billingConsoleCalls[name], { token, params: { invoiceNumber }, body: body as never });
}
/** Buys a package, pays for it, and returns its invoice. */
async function buyAndPay(school: School, packageId: number) {
  const { status, reply } = await buy(school, packageId);
  expect(status).toBe(200);
  if (reply.invoice.status === 'open') await settle('markInvoicePaid', reply.invoice.number);
  return reply.invoice;
}

/** Offers a package during `work`, which gets its id and a function that changes it. */
async function withPackage(
  offer: { price: number; max_readers: number },
  work: (id: number, change: (more: { price?: number; is_offered?: boolean }) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { token } = await app.build.operator();
  const body = { title: 'Edge', description: 'A package of a test.', is_offered: true, ...offer };
  const { id } = (await app.call(billingConsoleCalls.createPackage, { token, body })).reply.package;
  const change = async (more: object) => {
    const operator = await app.build.operator();
    const request = { token: operator.token, params: { packageId: id }, body: { ...body, ...more } };
    expect((await app.call(billingConsoleCalls.updatePackage, request)).status).toBe(200);
  };
  await work(id, change);
  await change({ is_offered: false });
}

describe('the last second of a day in London', () => {
  test.each([
    ['in winter', '2027-11-17', '2027-11-17T23:59:59Z'],
    ['in summer', '2027-06-30', '2027-06-30T22:59:59Z'],
    ['after the clocks went forward that morning', '2027-03-28', '2027-03-28T22:59:59Z'],
    ['before the clocks go back that night', '2027-10-30', '2027-10-30T22:59:59Z'],
    ['after the clocks went back that morning', '2027-10-31', '2027-10-31T23:59:59Z'],
  ])('%s an upgrade costs one day; a second later it is a new year', async (_, lastDay, lastSecond) => {
    app.setTime(`${addDays(lastDay, 1).replace('2027', '2026')}T12:00:00Z`);
    const school = await newSchool();
    await buyAndPay(school, 4);
    expect((await getSubscription(school))?.expires_at).toBe(new Date(lastSecond).toISOString());
    await moveTo(new Date(Date.parse(lastSecond) - 1).toISOString());
    expect(await getMeta(school, 5)).toMatchObject({
      is_upgrading: true,
      prorated_price: Math.round(36_000 / 365),
      period: { from: lastDay, to: lastDay },
    });
    await moveTo(new Date(Date.parse(lastSecond) + 1000).toISOString());
    expect(await getMeta(school, 5)).toMatchObject({
      is_upgrading: false,
      is_extending: false,
      due_now: { net: 84_000 },
      period: { from: addDays(lastDay, 1) },
    });
  });

  test('a purchase at 23:59:59 in London covers that day, and a purchase a second later does not', async () => {
    app.setTime('2026-11-18T12:00:00Z');
    const school = await newSchool();
    await buyAndPay(school, 4);
    await moveTo('2027-03-28T22:59:59Z');
    const { due_now } = await getMeta(school, 5);
    await moveTo('2027-03-28T23:00:00Z');
    const late = await buy(school, 5, { expected_total: due_now?.total });
    expect(late).toMatchObject({
      status: 409,
      error: { code: 'price_changed', quote: { period: { from: '2027-03-29', to: '2027-11-17' } } },
    });
    // 234 days instead of 235.
    expect(late.error.quote).toMatchObject({ net: Math.round((36_000 * 234) / 365) });
    expect(due_now?.net).toBe(Math.round((36_000 * 235) / 365));
  });
});

test('a year from 29 February ends on 27 February, and renews from the 28th without a gap', async () => {
  app.setTime('2028-02-29T12:00:00Z');
  const school = await newSchool();
  expect(await getMeta(school, 4)).toMatchObject({
    period: { from: '2028-02-29', to: '2029-02-27' },
    due_yearly: { from: '2029-02-28' },
  });
  await buyAndPay(school, 4);
  await moveTo('2029-02-27T23:59:58Z');
  expect(await getMeta(school, 4)).toMatchObject({
    is_extending: true,
    period: { from: '2029-02-28', to: '2030-02-27' },
  });
  await buyAndPay(school, 4);
  expect(await getSubscription(school)).toMatchObject({ expires_at: '2030-02-27T23:59:59.000Z', has_expired: false });
});

describe('a chain of five subscriptions', () => {
  const CHAIN = [2, 3, 4, 5, 6];

  test('five subscriptions purchased on one day cost as much as the largest package, and can be credited invoice by invoice', async () => {
    const school = await newSchool();
    const invoices = [];
    for (const packageId of CHAIN) invoices.push(await buyAndPay(school, packageId));
    expect(invoices.map(({ subtotal }) => subtotal)).toEqual([15_000, 12_000, 21_000, 36_000, 60_000]);
    expect(invoices.reduce((sum, { subtotal }) => sum + subtotal, 0)).toBe(144_000);

    const body = { reason: 'Ordered by mistake', ends_subscription: true };
    // Only the last purchase can be reverted: the earlier ones are part of the current subscription.
    expect((await settle('creditInvoice', invoices[2]?.number ?? '', body)).error.code).toBe('subscription_superseded');
    const titles = [];
    for (const { number } of invoices.toReversed()) {
      expect((await settle('creditInvoice', number, body)).status).toBe(200);
      const subscription = await getSubscription(school);
      titles.push([subscription?.package_id, subscription?.has_expired]);
    }
    expect(titles).toEqual([
      [5, false],
      [4, false],
      [3, false],
      [2, false],
      [2, true],
    ]);
  });

  test('five subscriptions purchased over a year cost each package its own days, and end with the first', async () => {
    const school = await newSchool();
    const days = ['2026-11-18', '2027-01-31', '2027-02-28', '2027-08-15', '2027-11-17'];
    const subtotals = [];
    for (const [index, packageId] of CHAIN.entries()) {
      await moveTo(`${days[index]}T12:00:00Z`);
      subtotals.push((await buyAndPay(school, packageId)).subtotal);
    }
    const daysLeft = [365, 291, 263, 95, 1];
    const steps = [15_000, 12_000, 21_000, 36_000, 60_000];
    expect(subtotals).toEqual(steps.map((step, index) => Math.round((step * (daysLeft[index] ?? 0)) / 365)));
    expect(await getSubscription(school)).toMatchObject({
      package_id: 6,
      expires_at: '2027-11-17T23:59:59.000Z',
      payment_amount: 144_000,
    });
    const rows = await app.database.kysely
      .selectFrom('subscriptions')
      .select(['id', 'replaces_id', 'ended_at'])
      .where('school_id', '=', school.id)
      .orderBy('id')
      .execute();
    expect(rows.map(({ replaces_id }) => replaces_id)).toEqual([null, ...rows.slice(0, -1).map(({ id }) => id)]);
    expect(rows.filter(({ ended_at }) => ended_at === null)).toHaveLength(1);
  });
});

describe('a custom package', () => {
  const grant = async ({ id }: School, body: object) => {
    const { token } = await app.build.operator();
    const given = { title: 'Pilot', price: 0, max_readers: 10, ends_on: '2026-11-19', ...body };
    return app.call(billingConsoleCalls.grantCustomPackage, { token, params: { schoolId: id }, body: given });
  };

  test('rejects a custom package of one day; the shortest covers today and tomorrow', async () => {
    const school = await newSchool();
    for (const ends_on of ['2026-11-18', '2026-11-17', '2031-11-25'])
      expect(await grant(school, { ends_on })).toMatchObject({
        status: 422,
        error: { errors: { ends_on: ['Give a day after today, within five years.'] } },
      });
    expect(await getSubscription(school)).toBeNull();
    expect((await grant(school, {})).reply.subscription.expires_at).toBe('2026-11-19T23:59:59.000Z');
    // Two days of the yearly price, and one on the last day.
    expect((await getMeta(school, 4)).prorated_price).toBe(Math.round((48_000 * 2) / 365));
    await moveTo('2026-11-19T23:59:58Z');
    expect((await getMeta(school, 4)).prorated_price).toBe(Math.round(48_000 / 365));
    await buyAndPay(school, 4);
    expect(await getSubscription(school)).toMatchObject({ package_id: 4, expires_at: '2026-11-19T23:59:59.000Z' });
    await moveTo('2026-11-20T00:00:00Z');
    expect(await getMeta(school, 4)).toMatchObject({ due_now: { net: 48_000 }, refusal: null });
  });

  test('a custom package granted a second before midnight starts on the day that ends', async () => {
    const school = await newSchool();
    await moveTo('2027-06-30T22:59:59Z');
    expect((await grant(school, { ends_on: '2027-06-30' })).status).toBe(422);
    expect((await grant(school, { ends_on: '2027-07-01' })).reply.subscription).toMatchObject({
      expires_at: '2027-07-01T22:59:59.000Z',
      meta: { num_of_days_before_end: 1 },
    });
  });
});

describe('a free package', () => {
  test('a free package is paid at once and not payable by card, and a larger package costs its full price', () =>
    withPackage({ price: 0, max_readers: 20 }, async (free) => {
      const school = await newSchool();
      const invoice = await buyAndPay(school, free);
      expect(invoice).toMatchObject({ status: 'paid', subtotal: 0, vat: 0, total: 0 });
      const invoiceToken = invoice.hosted_invoice_url.split('/').at(-1) ?? '';
      const card = await app.call(hostedInvoiceCalls.payInvoiceByCard, { params: { invoiceToken } });
      expect(card.error.code).toBe('invoice_not_open');
      expect(await getSubscription(school)).toMatchObject({ renewal_status: null, payment_amount: 0 });
      expect((await getMeta(school, 4)).prorated_price).toBe(48_000);
      expect((await buyAndPay(school, 4)).total).toBe(57_600);
    }));
});

describe('a package for £1', () => {
  test('a package for £1 costs £1.20 with VAT, and nothing on its last day', () =>
    withPackage({ price: 100, max_readers: 20 }, async (cheap) => {
      const school = await newSchool();
      expect(await buyAndPay(school, cheap)).toMatchObject({ subtotal: 100, vat: 20, total: 120 });
      await withPackage({ price: 200, max_readers: 25 }, async (next) => {
        await moveTo('2027-11-17T12:00:00Z');
        // £1 for one of 365 days is less than half a penny.
        expect(await buyAndPay(school, next)).toMatchObject({ status: 'paid', subtotal: 0, total: 0 });
        expect(await getSubscription(school)).toMatchObject({ package_id: next, max_readers: 25 });
      });
    }));
});

describe('two tabs', () => {
  test('two tabs that confirm different packages at once make one invoice and one subscription', async () => {
    const school = await newSchool();
    const [small, large] = await Promise.all([buy(school, 4), buy(school, 6)]);
    expect([small.status, large.status].toSorted()).toEqual([200, 409]);
    const [accepted, rejected] = small.status === 200 ? [small, large] : [large, small];
    expect(rejected.error.code).toBe('invoice_unpaid');
    expect(await listInvoices(school)).toEqual([accepted.reply.invoice]);
    expect((await getSubscription(school))?.package_id).toBe(small.status === 200 ? 4 : 6);
  });

  test('two tabs that confirm the same free upgrade at once make one invoice', () =>
    withPackage({ price: 48_000, max_readers: 130 }, async (roomier) => {
      const school = await newSchool();
      await buyAndPay(school, 4);
      const { due_now } = await getMeta(school, roomier);
      expect(due_now?.total).toBe(0);
      const both = await Promise.all([
        buy(school, roomier, { expected_total: 0 }),
        buy(school, roomier, { expected_total: 0 }),
      ]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(both.find(({ status }) => status === 409)?.error.code).toBe('already_subscribed');
      expect(await listInvoices(school)).toHaveLength(2);
    }));
});

describe('a package that changes between quote and purchase', () => {
  test('rejects the purchase of a package withdrawn after the quote, and nothing changes', () =>
    withPackage({ price: 50_000, max_readers: 130 }, async (id, change) => {
      const school = await newSchool();
      const { due_now } = await getMeta(school, id);
      await change({ is_offered: false });
      expect(await buy(school, id, { expected_total: due_now?.total })).toMatchObject({
        status: 404,
        error: { error: 'This package is no longer available. Choose another one.' },
      });
      expect([await getSubscription(school), await listInvoices(school)]).toEqual([null, []]);
    }));

  test('rejects a purchase with the new price when the price rises after the quote, and nothing changes', () =>
    withPackage({ price: 50_000, max_readers: 130 }, async (id, change) => {
      const school = await newSchool();
      const { due_now } = await getMeta(school, id);
      await change({ price: 50_001 });
      expect((await buy(school, id, { expected_total: due_now?.total })).error).toMatchObject({
        code: 'price_changed',
        quote: { net: 50_001, total: 60_001 },
      });
      expect(await getSubscription(school)).toBeNull();
    }));

  test('a package whose price changes stays with schools that have it, at its old price', () =>
    withPackage({ price: 48_000, max_readers: 130 }, async (id, change) => {
      const school = await newSchool();
      await buyAndPay(school, id);
      await change({ price: 90_000, is_offered: false });
      expect(await getSubscription(school)).toMatchObject({ package_id: id, max_readers: 130, has_expired: false });
      // The difference from the price that was paid, not from today's price.
      expect((await getMeta(school, 5)).prorated_price).toBe(84_000 - 48_000);
      await moveTo('2027-11-10T12:00:00Z');
      expect((await getMeta(school, 4)).refusal).toBeNull();
    }));
});

describe('card payments that arrive twice, late or out of order', () => {
  let count = 0;
  const paidEvent = (invoice: { number: string; total: number }, more: object = {}, type = 'completed') => ({
    id: `evt_edge_${(count += 1)}`,
    object: 'event',
    type: `checkout.session.${type}`,
    data: {
      object: {
        id: `cs_edge_${invoice.number}`,
        object: 'checkout.session',
        payment_status: 'paid',
        payment_intent: `pi_${invoice.number}`,
        amount_total: invoice.total,
        currency: 'gbp',
        metadata: { invoice: invoice.number },
        ...more,
      },
    },
  });
  const send = async (event: object) => {
    expect((await app.ask('POST', '/stripe/webhook', stripe.sign(event))).status).toBe(200);
  };
  const statusesOf = async (school: School) => (await listInvoices(school)).map(({ status }) => status);
  const paymentsOf = async (school: School) =>
    (await app.call(schoolCalls.listAuditLog, as(school))).reply.entries
      .map(({ action }) => action)
      .filter((action) => action === 'invoice_paid' || action.startsWith('payment_'));

  test('card payments settle the invoice once: success, failure and completion of a slow bank in every order', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
    ]) {
      const school = await newSchool();
      const { invoice } = (await buy(school, 4)).reply;
      const events = [
        paidEvent(invoice, { payment_status: 'unpaid' }),
        paidEvent(invoice, { payment_status: 'unpaid' }, 'async_payment_failed'),
        paidEvent(invoice, {}, 'async_payment_succeeded'),
      ];
      for (const index of order) await send(events[index] ?? {});
      for (const event of events.toReversed()) await send(event);
      expect(await statusesOf(school)).toEqual(['paid']);
      expect(await paymentsOf(school)).toEqual(['invoice_paid']);
    }
  });

  test('repeated card payments restore an uncollectible purchase once', async () => {
    const school = await newSchool();
    const { invoice } = (await buy(school, 4)).reply;
    await settle('markInvoiceUncollectible', invoice.number, { reason: 'No answer' });
    expect((await getSubscription(school))?.has_expired).toBe(true);
    const event = paidEvent(invoice);
    await Promise.all([send(event), send(event), send({ ...event, id: 'evt_edge_again' })]);
    expect(await statusesOf(school)).toEqual(['paid']);
    expect((await getSubscription(school))?.has_expired).toBe(false);
    expect(await paymentsOf(school)).toEqual(['invoice_paid']);
  });

  test('late card payments do not reopen an invoice that was credited after they arrived', async () => {
    const school = await newSchool();
    const { invoice } = (await buy(school, 4)).reply;
    const event = paidEvent(invoice);
    await send(event);
    await settle('creditInvoice', invoice.number, { reason: 'A mistake', ends_subscription: true });
    await send(event);
    await send({ ...event, id: 'evt_edge_late' });
    expect(await statusesOf(school)).toEqual(['credited']);
    expect((await getSubscription(school))?.has_expired).toBe(true);
    expect(await paymentsOf(school)).toEqual(['invoice_paid']);
  });

  test('late card payments do not change a later purchase', async () => {
    const school = await newSchool();
    const { invoice } = (await buy(school, 4)).reply;
    await settle('markInvoiceUncollectible', invoice.number, { reason: 'No answer' });
    await buyAndPay(school, 3);
    await send(paidEvent(invoice));
    expect(await statusesOf(school)).toEqual(['paid', 'paid']);
    expect(await getSubscription(school)).toMatchObject({ package_id: 3, max_readers: 60, has_expired: false });
  });
});
