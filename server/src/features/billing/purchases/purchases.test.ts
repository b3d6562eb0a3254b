import { billingCalls } from '#contract/calls/billing.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { CONTACT } from '../../../testing/builder.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';

const app = testApp();
const NOW = '2026-11-18T12:00:00.000Z';
beforeEach(() => app.setTime(NOW));

interface Customer {
  id: number;
  token: string;
}

/** A school that has never had a subscription. */
async function newCustomer(): Promise<Customer> {
  const { id, admin } = await app.build.emptySchool();
  await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', id).execute();
  return { id, token: admin.token };
}

const asAdmin = ({ id, token }: Customer) => ({ token, params: { id } });
const purchase = (customer: Customer, package_id: number, more: object = {}) =>
  app.call(billingCalls.subscribe, { ...asAdmin(customer), body: { package_id, contact: CONTACT, ...more } });
const subscriptionOf = async (customer: Customer) =>
  (await app.call(billingCalls.getSubscription, asAdmin(customer))).reply.subscription;
const invoicesOf = async (customer: Customer) => {
  const { reply } = await app.call(schoolCalls.getSchool, { ...asAdmin(customer), query: { include: 'invoices' } });
  if (!reply.enterprise.invoices) throw new Error('The reply has no invoices.');
  return reply.enterprise.invoices;
};
const metaOf = async (customer: Customer, packageId: number) =>
  (await app.call(billingCalls.getPackage, { ...asAdmin(customer), params: { id: customer.id, packageId } })).reply
    .meta;

async function pay(customer: Customer): Promise<void> {
  const { open_invoice } = (await invoicesOf(customer)).meta;
  const { token } = await app.build.operator();
  const params = { invoiceNumber: open_invoice?.number ?? '' };
  expect((await app.call(billingConsoleCalls.markInvoicePaid, { token, params, body: {} })).status).toBe(200);
}

/** Moves the clock and keeps everyone logged in. */
const moveTo = (moment: string) => {
  app.setTime(moment);
  return app.database.kysely
    .updateTable('sessions')
    .set({ last_used_at: new Date(moment), expires_at: new Date('2040-01-01') })
    .execute();
};

describe('packages', () => {
  test('lists the packages in order with what each would cost the school', async () => {
    const customer = await newCustomer();
    const { packages } = (await app.call(billingCalls.listPackages, asAdmin(customer))).reply;
    expect(packages.map(({ id, price, ...offer }) => [id, price, offer.max_readers])).toEqual([
      [1, 0, 30],
      [2, 15_000, 30],
      [3, 27_000, 60],
      [4, 48_000, 120],
      [5, 84_000, 240],
      [6, 144_000, 480],
      [7, 195_000, 999],
    ]);
    expect(packages[4]).toMatchObject({
      title: 'One-form entry',
      has_subscription: false,
      meta: {
        is_upgrading: false,
        is_extending: false,
        prorated_price: null,
        refusal: null,
        period: { from: '2026-11-18', to: '2027-11-17' },
        vat_rate: 2000,
      },
    });
    const gone = await app.call(billingCalls.getPackage, {
      ...asAdmin(customer),
      params: { id: customer.id, packageId: 99 },
    });
    expect(gone).toMatchObject({
      status: 404,
      error: { error: 'This package is no longer available. Choose another one.' },
    });
  });
});

describe('trials', () => {
  test('a trial runs for 30 days, once, and does not become a paid subscription', async () => {
    const customer = await newCustomer();
    const { status, reply } = await app.call(billingCalls.startTrial, { ...asAdmin(customer), body: {} });
    expect(status).toBe(200);
    expect(reply.subscription).toMatchObject({
      is_trial: true,
      title: 'Free trial',
      max_readers: 30,
      payment_amount: 0,
      expires_at: '2026-12-18T23:59:59.000Z',
      meta: { num_of_days_before_end: 30 },
    });
    expect((await invoicesOf(customer)).data).toEqual([]);
    const again = await app.call(billingCalls.startTrial, { ...asAdmin(customer), body: { package_id: 1 } });
    expect(again).toMatchObject({ status: 409, error: { code: 'trial_unavailable' } });
    expect(await metaOf(customer, 1)).toMatchObject({ refusal: 'trial_unavailable' });
    await moveTo('2026-12-19T00:00:00Z');
    expect(await subscriptionOf(customer)).toMatchObject({ has_expired: true, is_trial: true });
  });

  test('starts one trial when five requests arrive at once', async () => {
    const customer = await newCustomer();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.call(billingCalls.startTrial, { ...asAdmin(customer), body: {} })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });
});

describe('purchases', () => {
  test('a purchase creates a subscription of 12 months and one invoice due in 30 days, and saves the billing contact', async () => {
    const customer = await newCustomer();
    const { status, reply } = await purchase(customer, 5, { po_number: ' PO 118 ' });
    expect(status).toBe(200);
    expect(reply.invoice).toMatchObject({
      issued_at: NOW,
      due_date: '2026-12-18',
      status: 'open',
      currency: 'gbp',
      subtotal: 84_000,
      vat: 16_800,
      total: 100_800,
      po_number: 'PO 118',
    });
    expect(reply.invoice.number).toMatch(/^INV-\d{6}$/);
    expect(await subscriptionOf(customer)).toMatchObject({
      title: 'One-form entry',
      package_id: 5,
      max_readers: 240,
      payment_amount: 84_000,
      payment_provider: 'invoice',
      renewal_status: 'awaiting_payment',
      expires_at: '2027-11-17T23:59:59.000Z',
      meta: { num_of_days_before_end: 364, is_nearing_end: false },
    });
    expect((await invoicesOf(customer)).meta).toMatchObject({
      has_open_invoice: true,
      has_outstanding_invoice: false,
      open_invoice: reply.invoice,
    });
    const contact = await app.call(schoolDetailsCalls.getBillingContact, asAdmin(customer));
    expect(contact.reply.billing_address).toMatchObject({ contact_name: 'Pat Office', type: 'billing' });
    await pay(customer);
    expect((await subscriptionOf(customer))?.renewal_status).toBeNull();
    const log = await app.call(schoolCalls.listAuditLog, asAdmin(customer));
    expect(log.reply.entries.map(({ action }) => action)).toEqual([
      'invoice_paid',
      'invoice_issued',
      'subscription_bought',
    ]);
  });

  test('a purchase creates one invoice when eight confirmations arrive at once', async () => {
    const customer = await newCustomer();
    const answers = await Promise.all(Array.from({ length: 8 }, () => purchase(customer, 4)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status, error }) => status === 409 && error.code === 'invoice_unpaid')).toHaveLength(7);
    expect((await invoicesOf(customer)).data).toHaveLength(1);
  });

  test('a school can purchase during a trial, and any package after its subscription has expired', async () => {
    const customer = await newCustomer();
    await app.call(billingCalls.startTrial, { ...asAdmin(customer), body: {} });
    expect((await purchase(customer, 6)).status).toBe(200);
    expect(await subscriptionOf(customer)).toMatchObject({ is_trial: false, max_readers: 480 });
    await pay(customer);
    await moveTo('2027-11-18T09:00:00Z');
    expect(await subscriptionOf(customer)).toMatchObject({ has_expired: true });
    expect((await purchase(customer, 3)).reply.invoice).toMatchObject({ subtotal: 27_000 });
    expect(await subscriptionOf(customer)).toMatchObject({ expires_at: '2028-11-17T23:59:59.000Z', max_readers: 60 });
  });

  test.each<[string, object, string]>([
    ['a PO number of 10,000 characters', { po_number: 'x'.repeat(10_000) }, 'po_number'],
    ['a PO number of two lines', { po_number: 'PO\n1' }, 'po_number'],
    ['no contact', { contact: undefined }, 'contact'],
    ['a wrong postcode', { contact: { ...CONTACT, postcode: 'NOWHERE' } }, 'contact.postcode'],
    ['a package id that is not a number', { package_id: '5' }, 'package_id'],
  ])('rejects a purchase with %s', async (_, more, field) => {
    const customer = await newCustomer();
    const { status, error } = await purchase(customer, 5, more);
    expect({ status, fields: Object.keys(error.errors ?? {}) }).toEqual({ status: 422, fields: [field] });
    expect(await subscriptionOf(customer)).toBeNull();
  });

  test('rejects the purchase of a withdrawn package, an unknown package and the trial', async () => {
    const customer = await newCustomer();
    const { token } = await app.build.operator();
    const offer = { title: 'Gone', description: 'Soon gone.', price: 100, max_readers: 10, is_offered: true };
    const { id } = (await app.call(billingConsoleCalls.createPackage, { token, body: offer })).reply.package;
    await app.call(billingConsoleCalls.updatePackage, {
      token,
      params: { packageId: id },
      body: { ...offer, is_offered: false },
    });
    for (const packageId of [id, 99, 1]) expect((await purchase(customer, packageId)).status).toBe(404);
    expect((await invoicesOf(customer)).data).toEqual([]);
  });

  test('rejects a purchase by an operator who is logged in as the administrator', async () => {
    const school = await app.build.emptySchool();
    const { token } = await app.build.operator();
    const body = { user_id: school.admin.id, reason: 'A question of theirs' };
    const { code } = (await app.call(operatorCalls.mintImpersonation, { token, body })).reply;
    const session = (await app.call(operatorCalls.impersonate, { body: { code } })).reply.meta.token;
    expect((await purchase({ id: school.id, token: session }, 6)).error.code).toBe('not_while_impersonating');
  });
});

describe('upgrades', () => {
  test('an upgrade in the middle of the year costs the difference for the remaining days', async () => {
    const customer = await newCustomer();
    await purchase(customer, 4);
    expect(await metaOf(customer, 5)).toMatchObject({ refusal: 'invoice_unpaid' });
    expect((await purchase(customer, 5)).error.error).toBe(
      'Upgrading is not available whilst there is an unpaid invoice. Contact us for assistance.',
    );
    await pay(customer);
    await moveTo('2027-05-19T08:00:00Z');
    // 19 May to 17 November 2027, both included: 183 of 365 days of £360.
    expect(await metaOf(customer, 5)).toMatchObject({
      is_upgrading: true,
      prorated_price: 18_049,
      period: { from: '2027-05-19', to: '2027-11-17' },
    });
    const { invoice } = (await purchase(customer, 5)).reply;
    expect(invoice).toMatchObject({ subtotal: 18_049, vat: 3610, total: 21_659 });
    expect(await subscriptionOf(customer)).toMatchObject({
      max_readers: 240,
      payment_amount: 84_000,
      expires_at: '2027-11-17T23:59:59.000Z',
    });
    await pay(customer);
    expect(await metaOf(customer, 4)).toMatchObject({ refusal: 'downgrade' });
    expect((await purchase(customer, 4)).error).toMatchObject({
      error: 'Downgrading is currently unsupported. Contact us for assistance.',
      code: 'downgrade',
    });
  });

  test('an upgrade on the last day costs one day, on 29 February too, and nothing if that is less than half a penny', async () => {
    app.setTime('2027-03-01T09:00:00Z');
    const customer = await newCustomer();
    await purchase(customer, 4);
    await pay(customer);
    await moveTo('2028-02-29T23:00:00Z');
    expect(await metaOf(customer, 5)).toMatchObject({
      prorated_price: 98,
      period: { from: '2028-02-29', to: '2028-02-29' },
    });
    const { token } = await app.build.operator();
    const offer = {
      title: 'A penny more',
      description: 'As large.',
      price: 48_001,
      max_readers: 120,
      is_offered: true,
    };
    const { id } = (await app.call(billingConsoleCalls.createPackage, { token, body: offer })).reply.package;
    expect((await purchase(customer, id)).reply.invoice).toMatchObject({ total: 0, status: 'paid' });
    expect((await invoicesOf(customer)).meta.has_open_invoice).toBe(false);
    expect(await subscriptionOf(customer)).toMatchObject({ title: 'A penny more', renewal_status: null });
    await app.call(billingConsoleCalls.updatePackage, {
      token,
      params: { packageId: id },
      body: { ...offer, is_offered: false },
    });
  });
});

describe('extensions', () => {
  test('an extension adds 12 months from 60 days before the end, once the last invoice is paid', async () => {
    const customer = await newCustomer();
    await purchase(customer, 4);
    await pay(customer);
    await moveTo('2027-09-17T22:59:59Z');
    expect((await purchase(customer, 4)).error.code).toBe('already_subscribed');
    await moveTo('2027-09-17T23:00:00Z');
    expect(await metaOf(customer, 4)).toMatchObject({
      is_extending: true,
      period: { from: '2027-11-18', to: '2028-11-17' },
    });
    expect((await purchase(customer, 4)).reply.invoice).toMatchObject({ subtotal: 48_000, due_date: '2027-10-18' });
    expect(await subscriptionOf(customer)).toMatchObject({ expires_at: '2028-11-17T23:59:59.000Z' });
    expect((await purchase(customer, 4)).error.code).toBe('invoice_unpaid');
    await pay(customer);
    expect((await purchase(customer, 4)).error.code).toBe('already_subscribed');
    // 61 days of the old year, which has 365, and the whole year after it.
    expect(await metaOf(customer, 5)).toMatchObject({ prorated_price: Math.round((36_000 * 61) / 365) + 36_000 });
  });
});

describe('renewals', () => {
  /** A school in the last weeks of a paid year of the package for 120 pupils. */
  async function nearEnd() {
    const customer = await newCustomer();
    await purchase(customer, 4);
    await pay(customer);
    await moveTo('2027-11-01T09:00:00Z');
    return customer;
  }
  const addNames = (customer: Customer, count: number) =>
    app.build.pupils(
      customer,
      null,
      Array.from(
        { length: count },
        (_, n) => `Ada Baker${String.fromCodePoint(97 + (n % 26), 97 + Math.floor(n / 26))}`,
      ),
    );

  test('a renewal with a smaller package starts after the current year; until then today’s places remain', async () => {
    const customer = await nearEnd();
    expect(await metaOf(customer, 3)).toMatchObject({
      is_extending: true,
      refusal: null,
      period: { from: '2027-11-18', to: '2028-11-17' },
      due_now: { net: 27_000, vat: 5400, total: 32_400 },
      due_yearly: { net: 27_000, vat: 5400, total: 32_400, from: '2028-11-18' },
      active_pupils: 0,
      missing_places: 0,
    });
    expect((await purchase(customer, 3)).status).toBe(200);
    await pay(customer);
    expect(await subscriptionOf(customer)).toMatchObject({
      package_id: 4,
      max_readers: 120,
      next_period: { from: '2027-11-18', to: '2028-11-17', package_id: 3, max_readers: 60, price: 27_000 },
    });
    await moveTo('2027-11-17T23:59:59Z');
    expect(await subscriptionOf(customer)).toMatchObject({ max_readers: 120 });
    await moveTo('2027-11-18T00:00:00Z');
    expect(await subscriptionOf(customer)).toMatchObject({ package_id: 3, max_readers: 60, next_period: null });
  });

  test('an upgrade after a renewal with a smaller package pays for both years and enlarges both', async () => {
    const customer = await nearEnd();
    await purchase(customer, 3);
    await pay(customer);
    expect((await purchase(customer, 5)).status).toBe(200);
    await pay(customer);
    const larger = { package_id: 5, max_readers: 240 };
    expect(await subscriptionOf(customer)).toMatchObject({
      ...larger,
      next_period: { from: '2027-11-18', to: '2028-11-17', ...larger, price: 84_000 },
    });
    await moveTo('2027-11-18T00:00:00Z');
    expect(await subscriptionOf(customer)).toMatchObject({ ...larger, next_period: null });
  });

  test('a renewal of a package that an extension added states the yearly price of that package', async () => {
    const customer = await nearEnd();
    await purchase(customer, 3);
    await pay(customer);
    await moveTo('2028-11-01T09:00:00Z');
    expect((await purchase(customer, 3)).status).toBe(200);
    expect(await subscriptionOf(customer)).toMatchObject({ package_id: 3, payment_amount: 27_000 });
  });

  test('a renewal of a custom package states what that package costs a year', async () => {
    const customer = await newCustomer();
    const { token } = await app.build.operator();
    const body = { title: 'Two years', price: 100_000, max_readers: 300, ends_on: '2028-11-17' };
    await app.call(billingCalls.subscribe, { ...asAdmin(customer), body: { package_id: 2, contact: CONTACT } });
    await pay(customer);
    await app.call(billingConsoleCalls.grantCustomPackage, { token, params: { schoolId: customer.id }, body });
    await pay(customer);
    await moveTo('2028-11-01T09:00:00Z');
    expect((await purchase(customer, 4)).status).toBe(200);
    expect(await subscriptionOf(customer)).toMatchObject({ title: 'Two years', payment_amount: 50_000 });
  });

  test('a renewal needs a place for each active pupil', async () => {
    const customer = await nearEnd();
    await addNames(customer, 31);
    expect(await metaOf(customer, 2)).toMatchObject({
      refusal: 'too_many_pupils',
      active_pupils: 31,
      missing_places: 1,
    });
    const { status, error } = await purchase(customer, 2);
    expect({ status, ...error }).toMatchObject({ status: 409, code: 'too_many_pupils', pupils: 31 });
    await moveTo('2027-12-01T09:00:00Z');
    expect((await purchase(customer, 2)).error.code).toBe('too_many_pupils');
    expect((await purchase(customer, 3)).status).toBe(200);
  });
});

describe('quotes', () => {
  test('rejects a purchase whose expected total differs from the price, with the new quote, and changes nothing', async () => {
    const customer = await newCustomer();
    const { due_now } = await metaOf(customer, 4);
    expect(due_now).toEqual({ net: 48_000, vat: 9600, total: 57_600 });
    const { status, error } = await purchase(customer, 4, { expected_total: 57_599 });
    expect({ status, code: error.code, quote: error.quote }).toEqual({
      status: 409,
      code: 'price_changed',
      quote: {
        net: 48_000,
        vat: 9600,
        total: 57_600,
        period: { from: '2026-11-18', to: '2027-11-17' },
        due_yearly: { net: 48_000, vat: 9600, total: 57_600, from: '2027-11-18' },
      },
    });
    expect(await subscriptionOf(customer)).toBeNull();
    expect((await purchase(customer, 4, { expected_total: -1 })).status).toBe(422);
    expect((await purchase(customer, 4, { expected_total: 57_600 })).status).toBe(200);
  });

  test('a quote includes the VAT of the requested country or, without one, of the billing contact', async () => {
    const customer = await newCustomer();
    const quoteIn = async (query: { country_code?: string }) => {
      const params = { id: customer.id, packageId: 4 };
      const { reply } = await app.call(billingCalls.getPackage, { token: customer.token, params, query });
      return [reply.meta.due_now?.total, reply.meta.due_yearly?.total];
    };
    expect(await quoteIn({})).toEqual([57_600, 57_600]);
    expect(await quoteIn({ country_code: 'IND' })).toEqual([48_000, 48_000]);
    const abroad = { ...CONTACT, country_code: 'IND' };
    expect((await purchase(customer, 4, { contact: abroad, expected_total: 57_600 })).error.quote?.total).toBe(48_000);
    expect((await purchase(customer, 4, { contact: abroad, expected_total: 48_000 })).status).toBe(200);
    await pay(customer);
    await moveTo('2027-11-01T09:00:00Z');
    expect(await quoteIn({})).toEqual([48_000, 48_000]);
    expect(await quoteIn({ country_code: 'GBR' })).toEqual([57_600, 57_600]);
  });

  test('the quote and the invoice of an upgrade state the yearly price from the day after the period', async () => {
    const customer = await newCustomer();
    await purchase(customer, 4);
    await pay(customer);
    await moveTo('2027-06-01T09:00:00Z');
    const due_yearly = { net: 84_000, vat: 16_800, total: 100_800, from: '2027-11-18' };
    expect(await metaOf(customer, 5)).toMatchObject({ period: { from: '2027-06-01', to: '2027-11-17' }, due_yearly });
    const { invoice } = (await purchase(customer, 5)).reply;
    const { content } = await app.database.kysely
      .selectFrom('invoices')
      .select('content')
      .where('number', '=', invoice.number)
      .executeTakeFirstOrThrow();
    expect(content).toMatchObject({ period: { from: '2027-06-01', to: '2027-11-17' }, due_yearly });
  });
});
