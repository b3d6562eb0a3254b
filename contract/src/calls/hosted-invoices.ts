import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, text, timestamp } from '../fields.ts';
import { INVOICE_STATUSES } from './billing.ts';

const bankAccount = z.strictObject({ name: z.string(), sort_code: z.string(), number: z.string() });

/** What an invoice says, as it was when it was issued: later changes of names, addresses and rates do not reach it. */
const invoiceContent = z
  .strictObject({
    seller: z.strictObject({
      name: z.string(),
      address: z.array(z.string()),
      vat_number: z.string().nullable(),
      email: z.string(),
    }),
    school: z.string(),
    /** Name and address of who pays. */
    bill_to: z.array(z.string()),
    email: z.string(),
    country_code: z.string(),
    lines: z.array(
      z.strictObject({
        text: z.string(),
        detail: z.string(),
        quantity: z.number().int(),
        unit_price_pence: z.number().int(),
        /** Hundredths of a percent. */
        vat_rate: z.number().int(),
        amount: z.number().int(),
      }),
    ),
    /** First and last day. */
    period: z.strictObject({ from: z.iso.date(), to: z.iso.date() }),
    /** Hundredths of a percent; 0 where no VAT is charged. */
    vat_rate: z.number().int(),
    /** Where to pay; null where none was set up. */
    bank_account: bankAccount.nullable(),
  })
  .meta({ id: 'InvoiceContent' });
export type InvoiceContent = z.infer<typeof invoiceContent>;

/** Amounts are integers in pence. */
export const hostedInvoice = z
  .strictObject({
    id,
    number: z.string(),
    issued_at: timestamp,
    due_date: z.iso.date(),
    status: z.enum(INVOICE_STATUSES),
    is_overdue: z.boolean(),
    paid_on: z.iso.date().nullable(),
    currency: z.string(),
    subtotal: z.number().int(),
    vat: z.number().int(),
    total: z.number().int(),
    po_number: z.string().nullable(),
    invoice_pdf: z.string(),
    content: invoiceContent,
    credit_note: z.strictObject({ number: z.string(), issued_at: timestamp, reason: z.string() }).nullable(),
    can_pay_by_card: z.boolean(),
  })
  .meta({ id: 'HostedInvoice' });
export type HostedInvoice = z.infer<typeof hostedInvoice>;

const invoiceToken = text('There is no such invoice.').regex(/^[\w-]{43}(\.pdf)?$/, 'There is no such invoice.');
const params = z.strictObject({ invoiceToken });

export const hostedInvoiceCalls = defineCalls({
  getHostedInvoice: {
    method: 'GET',
    path: '/invoices/{invoiceToken}',
    tag: 'Billing',
    summary: 'An invoice, for whoever holds its link',
    description: 'With `.pdf` at the end of the address the same as a PDF.',
    permission: 'open',
    params,
    reply: z.strictObject({ invoice: hostedInvoice }),
    files: ['application/pdf'],
    errors: ['invoice_not_found'],
    rateLimits: [{ by: 'address', tries: 120, seconds: 3600, countsSuccesses: true }],
  },

  payInvoiceByCard: {
    method: 'POST',
    path: '/invoices/{invoiceToken}/card-payments',
    tag: 'Billing',
    summary: 'Begin to pay an invoice by card',
    description:
      'Answers the address of the page on which the card is entered. The invoice is paid when the bank says so.',
    permission: 'open',
    params,
    reply: z.strictObject({ url: z.string() }),
    errors: ['invoice_not_found', 'invoice_not_open', 'card_unavailable'],
    rateLimits: [{ by: 'address', tries: 20, seconds: 3600, countsSuccesses: true }],
  },
});
