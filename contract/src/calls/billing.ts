import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, idInPath, ids, optionalLine, timestamp } from '../fields.ts';
import { amounts } from '../quote.ts';
import { contactInput } from './contacts.ts';

/** Amounts are integers in pence. `num_of_days_before_end` counts calendar days in London, 0 on the last one. */
export const subscription = z
  .strictObject({
    id,
    /** The name of its package, as it was when it was bought. */
    title: z.string(),
    package_id: id.nullable(),
    is_trial: z.boolean(),
    has_expired: z.boolean(),
    expires_at: timestamp,
    billing_period_end: timestamp,
    /** `manual`: a custom package, made by the operator. */
    payment_provider: z.string().nullable(),
    payment_provider_subscription_id: z.string().nullable(),
    payment_amount: z.number().int(),
    renewal_duration_unit: z.string(),
    /** `awaiting_payment` until its invoice is paid. */
    renewal_status: z.string().nullable(),
    /** The places of today. */
    max_readers: z.number().int(),
    /** What an extension adds after the current period: its first and last day, package, places and yearly price without VAT. */
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

/** `credited`: a credit note took it back. */
export const INVOICE_STATUSES = ['open', 'paid', 'uncollectible', 'credited'] as const;

const invoiceFields = {
  id,
  number: z.string(),
  issued_at: timestamp,
  due_date: z.iso.date(),
  status: z.enum(INVOICE_STATUSES),
  currency: z.string(),
  subtotal: z.number().int(),
  vat: z.number().int(),
  total: z.number().int(),
  po_number: z.string().nullable(),
  invoice_pdf: z.string(),
  hosted_invoice_url: z.string(),
};

/** Amounts are integers in pence. Both URLs work without a session for whoever holds them. */
export const invoice = z.strictObject(invoiceFields).meta({ id: 'Invoice' });
export type Invoice = z.infer<typeof invoice>;

export const invoices = z.strictObject({
  data: z.array(invoice),
  meta: z.strictObject({
    has_open_invoice: z.boolean(),
    /** An open invoice is past its due date. */
    has_outstanding_invoice: z.boolean(),
    open_invoice: invoice.nullable(),
    outstanding_invoice: invoice.nullable(),
  }),
});

/** A bound on amounts that clients send. */
const MAX_TOTAL_PENCE = 1_000_000_000;

/** Why a package cannot be chosen now: the code of the error that choosing it would answer. */
const REFUSALS = ['downgrade', 'invoice_unpaid', 'already_subscribed', 'too_many_pupils', 'trial_unavailable'] as const;
export type PackageRefusal = (typeof REFUSALS)[number];

const packageMeta = z
  .strictObject({
    is_upgrading: z.boolean(),
    /** It would add 12 months to the end of the subscription. */
    is_extending: z.boolean(),
    /** Pence without VAT, for the rest of the present period; null unless upgrading. */
    prorated_price: z.number().int().nullable(),
    refusal: z.enum(REFUSALS).nullable(),
    /** First and last day of what an invoice would be for; null for a trial. */
    period: z.strictObject({ from: z.iso.date(), to: z.iso.date() }).nullable(),
    /** What the invoice would come to; null where the package cannot be bought now. VAT goes by the billing contact's country. */
    due_now: z.strictObject(amounts).nullable(),
    /** What a year of the package costs at today's prices, from the day after `period` on; null with `due_now`. */
    due_yearly: z.strictObject({ ...amounts, from: z.iso.date() }).nullable(),
    /** Pupils who take up a place; those in the archive do not. */
    active_pupils: z.number().int(),
    /** How many places the package has too few for them: 0 where it is large enough. */
    missing_places: z.number().int(),
    /** Today's VAT where it is charged, in hundredths of a percent. */
    vat_rate: z.number().int(),
  })
  .meta({ id: 'PackageMeta' });

/** `price` in pence a year, without VAT. `max_readers` 999 is unlimited. `has_subscription`: the school has it now. */
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

/** The quote that the buyer saw. */
const expectedTotal = z
  .number('Give the total in pence.')
  .int('Give the total in whole pence.')
  .min(0, 'The total is not below 0.')
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
    description: 'Null for a school that never had one. One that is over stays until another begins.',
    permission: 'manage_subscription',
    area: 'billing',
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
    params: ids('id'),
    reply: z.strictObject({ packages: z.array(packageOffer) }),
  },

  getPackage: {
    method: 'GET',
    path: '/enterprises/{id}/packages/{packageId}',
    tag: 'Billing',
    summary: 'One package, and what it would cost this school today',
    permission: 'manage_subscription',
    area: 'billing',
    params: z.strictObject({ id: idInPath, packageId: idInPath }),
    reply: z.strictObject({ package: packageOffer, meta: packageMeta }),
    errors: ['package_not_found'],
  },

  startTrial: {
    method: 'POST',
    path: '/enterprises/{id}/subscriptions/trial',
    tag: 'Billing',
    summary: 'Begin the free trial',
    description:
      'For schools that have had no subscription. Without `package_id` the trial on offer. It ends by itself and never becomes a paid subscription.',
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
      'Makes one invoice, due in 30 days, and saves the billing contact. A larger package replaces the current one for the rest of its period: each day costs the difference of the yearly prices divided by the days of its subscription year. From 60 days before the end, the same or a smaller package adds a period of 12 months after it; until that starts, today’s places remain. The package needs a place for each active pupil, otherwise `too_many_pupils` with their number. With `expected_total` (pence, VAT included) the order is rejected as `price_changed`, with the new quote, when it would cost anything else. An invoice that is unpaid past its due date locks the school.',
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
