import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, text, timestamp } from '../fields.ts';
import { dueYearly } from '../quote.ts';
import { invoiceFields } from './billing.ts';

const bankAccount = z.strictObject({ name: z.string(), sort_code: z.string(), number: z.string() });

/** The content of an invoice as issued. Later changes of names, addresses and rates do not change it. */
const invoiceContent = z
  .strictObject({
    seller: z.strictObject({
      name: z.string(),
      address: z.array(z.string()),
      vat_number: z.string().nullable(),
      email: z.string(),
    }),
    school: z.string(),
    /** Name and address of the billing contact. */
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
    /** Absent for custom packages and older invoices. */
    due_yearly: dueYearly.optional(),
    /** Hundredths of a percent; 0 if no VAT is charged. */
    vat_rate: z.number().int(),
    /** Bank details at the time of issue, as in the PDF; null if there were none. */
    bank_account: bankAccount.nullable(),
    /** The PDF has tags for screen readers. Absent for older invoices, whose file must not change. */
    is_tagged: z.literal(true).optional(),
  })
  .meta({ id: 'InvoiceContent' });
export type InvoiceContent = z.infer<typeof invoiceContent>;

export const hostedInvoice = z
  .strictObject({
    id,
    ...invoiceFields,
    is_overdue: z.boolean(),
    paid_on: z.iso.date().nullable(),
    currency: z.string(),
    po_number: z.string().nullable(),
    invoice_pdf: z.string(),
    content: invoiceContent,
    credit_note: z.strictObject({ number: z.string(), issued_at: timestamp, reason: z.string() }).nullable(),
    can_pay_by_card: z.boolean(),
    /** Current bank details; null if there are none. */
    bank_account: bankAccount.nullable(),
  })
  .meta({ id: 'HostedInvoice' });
export type HostedInvoice = z.infer<typeof hostedInvoice>;

const invoiceToken = text('We could not find this invoice.').regex(
  /^[\w-]{43}(\.pdf)?$/,
  'We could not find this invoice.',
);
const params = z.strictObject({ invoiceToken });

export const hostedInvoiceCalls = defineCalls({
  getHostedInvoice: {
    method: 'GET',
    path: '/invoices/{invoiceToken}',
    tag: 'Billing',
    summary: 'An invoice, for anyone with its link',
    description: 'With `.pdf` at the end of the URL, returns it as a PDF.',
    permission: 'open',
    params,
    reply: z.strictObject({ invoice: hostedInvoice }),
    noProof: 'For anyone with the link, who need not have an account.',
    noViews: 'It names no pupils.',
    files: ['application/pdf'],
    errors: ['invoice_not_found'],
    rateLimits: [{ by: 'address', tries: 120, seconds: 3600, countsSuccesses: true }],
  },

  payInvoiceByCard: {
    method: 'POST',
    path: '/invoices/{invoiceToken}/card-payments',
    tag: 'Billing',
    summary: 'Start a card payment of an invoice',
    description:
      'Returns the URL of the page where the card is entered. The invoice is paid once the bank confirms the payment.',
    permission: 'open',
    params,
    reply: z.strictObject({ url: z.string() }),
    errors: ['invoice_not_found', 'invoice_not_open', 'card_unavailable'],
    rateLimits: [{ by: 'address', tries: 20, seconds: 3600, countsSuccesses: true }],
  },
});
