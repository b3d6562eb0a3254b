import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, idInPath, pagedMeta, paging, requiredLine, text, timestamp } from '../fields.ts';
import { UNLIMITED_READERS } from '../limits.ts';
import { INVOICE_STATUSES, invoiceFields, subscription } from './billing.ts';

const pence = z
  .number('Give an amount in pence.')
  .int('Give whole pence.')
  .min(0, 'An amount cannot be below 0.')
  .max(10_000_000, 'An amount is at most £100,000.');
const places = z
  .number('Give a number of pupils.')
  .int('Give a whole number of pupils.')
  .min(1, 'A package has at least one pupil.')
  .max(UNLIMITED_READERS, `Give at most ${UNLIMITED_READERS}, which means unlimited.`);
const reason = requiredLine('reason', 200);
const day = z.iso.date('Enter a date, such as 2027-08-31.');

/** A package as an operator sees it. `price` is in pence a year, `schools` the number that have it now. */
const soldPackage = z
  .strictObject({
    id,
    title: z.string(),
    description: z.string(),
    price: z.number().int(),
    is_trial: z.boolean(),
    max_readers: z.number().int(),
    is_offered: z.boolean(),
    schools: z.number().int(),
  })
  .meta({ id: 'SoldPackage' });
export type SoldPackage = z.infer<typeof soldPackage>;

export const packageBody = z.object({
  title: requiredLine('title', 60),
  description: requiredLine('description', 200),
  price: pence,
  max_readers: places,
  is_offered: z.boolean('Send true or false.'),
});

export const customPackageBody = z.object({
  title: requiredLine('title', 60),
  price: pence,
  max_readers: places,
  ends_on: day,
});

export const billedInvoice = z
  .strictObject({
    ...invoiceFields,
    school: z.strictObject({ id, name: z.string() }),
    is_overdue: z.boolean(),
    paid_on: z.iso.date().nullable(),
    hosted_invoice_url: z.string(),
  })
  .meta({ id: 'BilledInvoice' });
export type BilledInvoice = z.infer<typeof billedInvoice>;

/** `due`: open, the earliest due date first. */
export const INVOICE_FILTERS = ['due', 'overdue', ...INVOICE_STATUSES, 'all'] as const;
export const SCHOOL_STATES = ['open', 'trial', 'expired', 'locked', 'none'] as const;
export type SchoolBillingState = (typeof SCHOOL_STATES)[number];
const count = z.number().int();

/** For example `INV-000042`. */
export const invoiceNumber = text('This is not the number of an invoice.').regex(
  /^INV-\d{6,12}$/,
  'This is not the number of an invoice.',
);
const invoiceParams = z.strictObject({ invoiceNumber });

const revenueMonth = z
  .strictObject({
    /** The first day of the month, in London. */
    month: z.iso.date(),
    invoices: z.number().int(),
    subtotal: z.number().int(),
    vat: z.number().int(),
    /** Credit notes issued in the month, with VAT. */
    credited: z.number().int(),
    /** Payments received in the month, whenever invoiced, with VAT. */
    paid: z.number().int(),
  })
  .meta({ id: 'RevenueMonth' });
export type RevenueMonth = z.infer<typeof revenueMonth>;

export const billingConsoleCalls = defineCalls({
  listSoldPackages: {
    method: 'GET',
    path: '/admin/packages',
    tag: 'Operators',
    summary: 'All packages, including those no longer offered',
    permission: 'operator',
    reply: z.strictObject({ packages: z.array(soldPackage) }),
  },

  createPackage: {
    method: 'POST',
    path: '/admin/packages',
    tag: 'Operators',
    summary: 'Add a package',
    permission: 'operator',
    example: {
      body: {
        title: 'Small school',
        description: 'For a village school.',
        price: 36_000,
        max_readers: 90,
        is_offered: true,
      },
    },
    body: packageBody,
    reply: z.strictObject({ package: soldPackage }),
  },

  updatePackage: {
    method: 'POST',
    path: '/admin/packages/{packageId}',
    tag: 'Operators',
    summary: 'Change a package, its price, or whether it is offered',
    description: 'Applies to new purchases. Subscriptions and invoices keep their package and price.',
    permission: 'operator',
    example: {
      body: {
        title: 'One-form entry',
        description: 'For a school with a class a year.',
        price: 86_000,
        max_readers: 240,
        is_offered: true,
      },
    },
    params: z.strictObject({ packageId: idInPath }),
    body: packageBody,
    reply: z.strictObject({ package: soldPackage }),
    errors: ['package_not_found'],
  },

  grantCustomPackage: {
    method: 'POST',
    path: '/admin/schools/{schoolId}/custom-package',
    tag: 'Operators',
    summary: 'Grant a school a custom package, from today to a given day',
    description:
      'Replaces the current package, and needs a place for each active pupil. `price` is for the whole period, in pence without VAT. Above 0, an invoice is issued to the billing contact; at 0, the package is complimentary.',
    permission: 'operator',
    example: { body: { title: 'Pilot school', price: 0, max_readers: 999, ends_on: '2027-08-31' } },
    params: z.strictObject({ schoolId: idInPath }),
    body: customPackageBody,
    reply: z.strictObject({ subscription, invoice_number: z.string().nullable() }),
    errors: ['school_not_found', 'invoice_unpaid', 'school_closed'],
  },

  listBilledInvoices: {
    method: 'GET',
    path: '/admin/invoices',
    tag: 'Operators',
    summary: 'Invoices of all schools',
    permission: 'operator',
    example: { query: { status: 'due' } },
    query: z.object({
      ...paging,
      status: z.enum(INVOICE_FILTERS, `The status is ${INVOICE_FILTERS.join(', ')}.`).default('due'),
      school_id: idInPath.optional(),
    }),
    reply: z.strictObject({
      invoices: z.array(billedInvoice),
      /** The total of all invoices that match the filter, with VAT. */
      total: z.number().int(),
      meta: pagedMeta,
    }),
  },

  exportInvoices: {
    method: 'GET',
    path: '/admin/invoices/export',
    tag: 'Operators',
    summary: 'Invoices and credit notes issued in a period, as CSV for the accountant',
    permission: 'operator',
    needsProof: true,
    example: { query: { from: '2026-04-01', to: '2027-03-31' } },
    query: z.object({ from: day, to: day }),
    noViews: 'It names no pupils.',
    files: ['text/csv'],
  },

  markInvoicePaid: {
    method: 'POST',
    path: '/admin/invoices/{invoiceNumber}/paid',
    tag: 'Operators',
    summary: 'Mark an invoice as paid by bank transfer',
    description:
      'Unlocks the school. An uncollectible invoice can be paid later: its subscription is resumed unless the school has bought another.',
    permission: 'operator',
    example: { body: { paid_on: '2026-11-18', reference: 'BACS 18 November' } },
    params: invoiceParams,
    body: z.object({ paid_on: day.optional(), reference: requiredLine('reference', 100).optional() }),
    reply: z.strictObject({ invoice: billedInvoice }),
    errors: ['invoice_not_found', 'invoice_closed'],
  },

  markInvoiceUncollectible: {
    method: 'POST',
    path: '/admin/invoices/{invoiceNumber}/uncollectible',
    tag: 'Operators',
    summary: 'Mark an open invoice as uncollectible, and revert its purchase',
    permission: 'operator',
    example: { body: { reason: 'The school has closed' } },
    params: invoiceParams,
    body: z.object({ reason }),
    reply: z.strictObject({ invoice: billedInvoice }),
    errors: ['invoice_not_found', 'invoice_closed'],
  },

  creditInvoice: {
    method: 'POST',
    path: '/admin/invoices/{invoiceNumber}/credit-note',
    tag: 'Operators',
    summary: 'Issue a credit note for the whole of an invoice',
    description:
      'With `ends_subscription`, the subscription of the invoice ends today and the one that it replaced is resumed. `subscription_superseded` if the school has bought something else since.',
    permission: 'operator',
    example: { body: { reason: 'Ordered twice', ends_subscription: false } },
    params: invoiceParams,
    body: z.object({ reason, ends_subscription: z.boolean('Send true or false.').default(false) }),
    reply: z.strictObject({ invoice: billedInvoice, credit_note_number: z.string() }),
    errors: ['invoice_not_found', 'invoice_closed', 'subscription_superseded'],
  },

  listRevenue: {
    method: 'GET',
    path: '/admin/revenue',
    tag: 'Operators',
    summary: 'What was invoiced, credited and paid in each of the last 24 months',
    permission: 'operator',
    reply: z.strictObject({ months: z.array(revenueMonth) }),
  },

  listSchoolStates: {
    method: 'GET',
    path: '/admin/subscriptions',
    tag: 'Operators',
    summary: 'Schools by the state of their subscription',
    description: '`counts` covers all states. `schools` lists those in one state, the earliest end first.',
    permission: 'operator',
    example: { query: { state: 'locked' } },
    query: z.object({
      ...paging,
      state: z.enum(SCHOOL_STATES, `The state is ${SCHOOL_STATES.join(', ')}.`).default('open'),
    }),
    reply: z.strictObject({
      counts: z.strictObject({ open: count, trial: count, expired: count, locked: count, none: count }),
      schools: z.array(
        z.strictObject({
          id,
          name: z.string(),
          title: z.string().nullable(),
          max_readers: z.number().int().nullable(),
          expires_at: timestamp.nullable(),
        }),
      ),
      meta: pagedMeta,
    }),
  },
});
