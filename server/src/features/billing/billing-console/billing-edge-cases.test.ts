import { billingCalls } from '#contract/calls/billing.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { hostedInvoiceCalls } from '#contract/calls/hosted-invoices.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '../../../clock.ts';
import { testApp } from '../../../testing/app.ts';
import { CONTACT } from '../../../testing/builder.ts';

const app = testApp();

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
const asAdmin = ({ id, token }: School) => ({ token, params: { id } });
const purchase = (school: School, package_id: number, more: object = {}) =>
  app.call(billingCalls.subscribe, { ...asAdmin(school), body: { package_id, contact: CONTACT, ...more } });
const getMeta = async ({ id, token }: School, packageId: number) =>
  (await app.call(billingCalls.getPackage, { token, params: { id, packageId } })).reply.meta;
const getSubscription = async (school: School) =>
  (await app.call(billingCalls.getSubscription, asAdmin(school))).reply.subscription;
const listInvoices = async (school: School) =>
  (await app.call(schoolCalls.getSchool, { ...asAdmin(school), query: { include: 'invoices' } })).reply.enterprise
    .invoices?.data ?? [];

type Action = 'markInvoicePaid' | 'markInvoiceUncollectible' | 'creditInvoice';
async function settle(name: Action, invoiceNumber: string, body: object = {}) {
  const { token } = await app.build.operator();
  return app.call(billingConsoleCalls[name], { token, params: { invoiceNumber }, body: body as never });
}
/** Purchases a package, pays for it, and returns its invoice. */
async function purchaseAndPay(school: School, packageId: number) {
  const { status, reply } = await purchase(school, packageId);
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

test.each([
  ['in winter', '2027-11-17', '2027-11-17T23:59:59Z'],
  ['in summer', '2027-06-30', '2027-06-30T22:59:59Z'],
  ['after the clocks went forward that morning', '2027-03-28', '2027-03-28T22:59:59Z'],
  ['before the clocks go back that night', '2027-10-30', '2027-10-30T22:59:59Z'],
  ['after the clocks went back that morning', '2027-10-31', '2027-10-31T23:59:59Z'],
])(
  'in the last second of a day in London %s an upgrade costs one day; a second later a new year starts',
  async (_, lastDay, lastSecond) => {
    app.setTime(`${addDays(lastDay, 1).replace('2027', '2026')}T12:00:00Z`);
    const school = await newSchool();
    await purchaseAndPay(school, 4);
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
  },
);

test('five subscriptions purchased on one day cost as much as the largest package, and can be credited invoice by invoice', async () => {
  const school = await newSchool();
  const invoices = [];
  for (const packageId of [2, 3, 4, 5, 6]) invoices.push(await purchaseAndPay(school, packageId));
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

describe('custom packages', () => {
  const grant = async ({ id }: School, body: object) => {
    const { token } = await app.build.operator();
    const customPackage = { title: 'Pilot', price: 0, max_readers: 10, ends_on: '2026-11-19', ...body };
    return app.call(billingConsoleCalls.grantCustomPackage, { token, params: { schoolId: id }, body: customPackage });
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
    await purchaseAndPay(school, 4);
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

test('a free package is paid at once and not payable by card, and a larger package costs its full price', () =>
  withPackage({ price: 0, max_readers: 20 }, async (free) => {
    const school = await newSchool();
    const invoice = await purchaseAndPay(school, free);
    expect(invoice).toMatchObject({ status: 'paid', subtotal: 0, vat: 0, total: 0 });
    const invoiceToken = invoice.hosted_invoice_url.split('/').at(-1) ?? '';
    const card = await app.call(hostedInvoiceCalls.payInvoiceByCard, { params: { invoiceToken } });
    expect(card.error.code).toBe('invoice_not_open');
    expect(await getSubscription(school)).toMatchObject({ renewal_status: null, payment_amount: 0 });
    expect((await getMeta(school, 4)).prorated_price).toBe(48_000);
    expect((await purchaseAndPay(school, 4)).total).toBe(57_600);
  }));

test('two tabs that confirm the same free upgrade at once make one invoice', () =>
  withPackage({ price: 48_000, max_readers: 130 }, async (roomier) => {
    const school = await newSchool();
    await purchaseAndPay(school, 4);
    const { due_now } = await getMeta(school, roomier);
    expect(due_now?.total).toBe(0);
    const both = await Promise.all([
      purchase(school, roomier, { expected_total: 0 }),
      purchase(school, roomier, { expected_total: 0 }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.error.code).toBe('already_subscribed');
    expect(await listInvoices(school)).toHaveLength(2);
  }));

test('a package whose price changes stays with schools that have it, at its old price', () =>
  withPackage({ price: 48_000, max_readers: 130 }, async (id, change) => {
    const school = await newSchool();
    await purchaseAndPay(school, id);
    await change({ price: 90_000, is_offered: false });
    expect(await getSubscription(school)).toMatchObject({ package_id: id, max_readers: 130, has_expired: false });
    // The difference from the price that was paid, not from today's price.
    expect((await getMeta(school, 5)).prorated_price).toBe(84_000 - 48_000);
    await moveTo('2027-11-10T12:00:00Z');
    expect((await getMeta(school, 4)).refusal).toBeNull();
  }));
