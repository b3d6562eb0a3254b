import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { countryCode, id, idInPath, ids, optionalLine, timestamp } from '../fields.ts';
import { amounts, dueYearly } from '../quote.ts';
import { contactInput } from './contacts.ts';

/** Amounts are integers in pence. `num_of_days_before_end` counts calendar days in London, 0 on the last one. */
export const subscription = z
  .strictObject({
    id,
    /** The name of its package at the time of purchase. */
    title: z.string(),
    package_id: id.nullable(),
    is_trial: z.boolean(),
    has_expired: z.boolean(),
    expires_at: timestamp,
    billing_period_end: timestamp,
    /** `manual`: a custom package that an operator granted. */
    payment_provider: z.string().nullable(),
    payment_provider_subscription_id: z.string().nullable(),
    payment_amount: z.number().int(),
    renewal_duration_unit: z.string(),
    /** `awaiting_payment` until its invoice is paid. */
    renewal_status: z.string().nullable(),
    /** Places today. */
    max_readers: z.number().int(),
    /** The period that an extension adds: first and last day, package, places and yearly price without VAT. */
    next_period: z
      .strictObject({
        from: z.iso.date(),
        to: z.iso.date(),
        package_id: id.nullable(),
        title: z.string(),
        max_readers: z.number().int(),
        price: z.number().int(),
      })
      .nullable(),
    meta: z.strictObject({ is_nearing_end: z.boolean(), num_of_days_before_end: z.number().int() }),
  })
  .meta({ id: 'Subscription' });
export type Subscription = z.infer<typeof subscription>;

/** `credited`: a credit note cancels it. */
export const INVOICE_STATUSES = ['open', 'paid', 'uncollectible', 'credited'] as const;

/** The fields that every reader of an invoice gets: its school, anyone with its link, an operator. Amounts in pence. */
export const invoiceFields = {
  number: z.string(),
  issued_at: timestamp,
  due_date: z.iso.date(),
  status: z.enum(INVOICE_STATUSES),
  subtotal: z.number().int(),
  vat: z.number().int(),
  total: z.number().int(),
};

/** Both URLs work without a session. */
export const invoice = z
  .strictObject({
    id,
    ...invoiceFields,
    /** The first day on which the school is locked while the invoice is unpaid. */
    locks_on: z.iso.date(),
    currency: z.string(),
    po_number: z.string().nullable(),
    invoice_pdf: z.string(),
    hosted_invoice_url: z.string(),
  })
  .meta({ id: 'Invoice' });
export type Invoice = z.infer<typeof invoice>;

export const invoices = z.strictObject({
  data: z.array(invoice),
  meta: z.strictObject({
    has_open_invoice: z.boolean(),
    /** True if an open invoice locks the school, from its `locks_on` on. */
    has_outstanding_invoice: z.boolean(),
    open_invoice: invoice.nullable(),
    outstanding_invoice: invoice.nullable(),
  }),
});

/** The largest amount that a client can send. */
const MAX_TOTAL_PENCE = 1_000_000_000;

/** Why a package cannot be chosen now: the code of the error that a purchase would get. */
const REFUSALS = ['downgrade', 'invoice_unpaid', 'already_subscribed', 'too_many_pupils', 'trial_unavailable'] as const;
export type PackageRefusal = (typeof REFUSALS)[number];

const packageMeta = z
  .strictObject({
    is_upgrading: z.boolean(),
    /** Choosing it adds 12 months after the end of the subscription. */
    is_extending: z.boolean(),
    /** Pence without VAT, for the rest of the current period; null unless upgrading. */
    prorated_price: z.number().int().nullable(),
    refusal: z.enum(REFUSALS).nullable(),
    /** First and last day that the invoice would cover; null for a trial. */
    period: z.strictObject({ from: z.iso.date(), to: z.iso.date() }).nullable(),
    /** The amount of the invoice; null if the package cannot be purchased now. VAT depends on the requested country or, without one, on that of the billing contact. */
    due_now: z.strictObject(amounts).nullable(),
    /** Null if `due_now` is null. */
    due_yearly: dueYearly.nullable(),
    /** Pupils who take up a place. Archived pupils do not. */
    active_pupils: z.number().int(),
    /** The number of places that the package lacks for them; 0 if it is large enough. */
    missing_places: z.number().int(),
    /** Today's rate of VAT in the United Kingdom, in hundredths of a percent. */
    vat_rate: z.number().int(),
  })
  .meta({ id: 'PackageMeta' });

/** `price` in pence a year, without VAT. `max_readers` 999 is unlimited. `has_subscription`: it is the school's current package. */
export const packageOffer = z
  .strictObject({
    id,
    title: z.string(),
    description: z.string(),
    price: z.number().int(),
    is_trial: z.boolean(),
    max_readers: z.number().int(),
    has_subscription: z.boolean(),
    meta: packageMeta,
  })
  .meta({ id: 'Package' });
export type PackageOffer = z.infer<typeof packageOffer>;

/** The total on the screen from which the package was purchased. */
const expectedTotal = z
  .number('Give the total in pence.')
  .int('Give the total in whole pence.')
  .min(0, 'The total cannot be below 0.')
  .max(MAX_TOTAL_PENCE, 'The total is too large.')
  .optional();

export const poNumber = optionalLine('purchase order number', 60);
const subscribeBody = z.object({
  contact: contactInput,
  po_number: poNumber,
  package_id: id,
  expected_total: expectedTotal,
});

export const billingCalls = defineCalls({
  getSubscription: {
    method: 'GET',
    path: '/enterprises/{id}/subscriptions',
    tag: 'Billing',
    summary: "The school's subscription",
    description: 'Null for a school that never had one. An expired subscription is returned until another starts.',
    permission: 'manage_subscription',
    area: 'billing',
    setUp: 'school',
    whileUnconfirmed: true,
    params: ids('id'),
    reply: z.strictObject({ subscription: subscription.nullable() }),
  },

  listPackages: {
    method: 'GET',
    path: '/enterprises/{id}/subscriptions/packages',
    tag: 'Billing',
    summary: 'The packages on offer, and what each would cost this school today',
    permission: 'manage_subscription',
    area: 'billing',
    setUp: 'school',
    whileUnconfirmed: true,
    params: ids('id'),
    reply: z.strictObject({ packages: z.array(packageOffer) }),
  },

  getPackage: {
    method: 'GET',
    path: '/enterprises/{id}/packages/{packageId}',
    tag: 'Billing',
    summary: 'One package, and what it would cost this school today',
    description: 'With `country_code`, VAT is charged as for a billing contact in that country.',
    permission: 'manage_subscription',
    area: 'billing',
    setUp: 'school',
    whileUnconfirmed: true,
    params: z.strictObject({ id: idInPath, packageId: idInPath }),
    query: z.object({ country_code: countryCode.unwrap().optional() }),
    reply: z.strictObject({ package: packageOffer, meta: packageMeta }),
    errors: ['package_not_found'],
  },

  startTrial: {
    method: 'POST',
    path: '/enterprises/{id}/subscriptions/trial',
    tag: 'Billing',
    summary: 'Start the free trial',
    description:
      'For schools that have not had a subscription. Without `package_id`, starts the trial on offer. The trial ends by itself and never becomes a paid subscription.',
    permission: 'manage_subscription',
    area: 'billing',
    example: { body: {} },
    params: ids('id'),
    body: z.object({ package_id: id.optional() }).default({}),
    reply: z.strictObject({ subscription }),
    errors: ['package_not_found', 'trial_unavailable', 'not_while_impersonating'],
  },

  subscribe: {
    method: 'POST',
    path: '/enterprises/{id}/subscriptions',
    tag: 'Billing',
    summary: 'Buy a package: a new subscription, an upgrade or an extension',
    description:
      'Issues one invoice, due in 30 days, and saves the billing contact. A larger package replaces the current one for the rest of its period: each day costs the difference of the yearly prices divided by the number of days in its subscription year. From 60 days before the end, the same or a smaller package adds a period of 12 months; until it starts, today’s places remain. The package needs a place for each active pupil; otherwise the error is `too_many_pupils`, with the number of pupils. With `expected_total` (pence, including VAT), an order with another total is rejected as `price_changed`, with the new quote. An invoice that is unpaid past its due date locks the school.',
    permission: 'manage_subscription',
    area: 'billing',
    example: {
      body: {
        package_id: EXAMPLE.package,
        po_number: 'PO 2026/118',
        contact: {
          contact_name: 'Grace Lim',
          address_line_1: '1 School Lane',
          postcode: 'SW1A 1AA',
          telephone: '020 7946 0000',
          email: 'office@oakfield.sch.example',
        },
      },
    },
    params: ids('id'),
    body: subscribeBody,
    reply: z.strictObject({ invoice }),
    errors: [
      'package_not_found',
      'downgrade',
      'invoice_unpaid',
      'already_subscribed',
      'too_many_pupils',
      'price_changed',
      'not_while_impersonating',
    ],
  },
});
