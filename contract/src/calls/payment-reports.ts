import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { ids, requiredLine, timestamp } from '../fields.ts';
import { billedInvoice, invoiceNumber } from './billing-console.ts';

/** A school's report that it has paid. The invoice stays open until the payment is recorded. */
const paymentReport = z
  .strictObject({ invoice_number: z.string(), reference: z.string(), reported_at: timestamp })
  .meta({ id: 'PaymentReport' });
export type PaymentReport = z.infer<typeof paymentReport>;

/** A report as an operator sees it, with its open invoice. */
const reportedPayment = z
  .strictObject({ invoice: billedInvoice, reference: z.string(), reported_at: timestamp })
  .meta({ id: 'ReportedPayment' });
export type ReportedPayment = z.infer<typeof reportedPayment>;

export const paymentReference = requiredLine('payment reference', 100);

export const paymentReportCalls = defineCalls({
  listPaymentReports: {
    method: 'GET',
    path: '/enterprises/{id}/payment-reports',
    tag: 'Billing',
    summary: 'Payments that the school reported for its open invoice, the latest first',
    permission: 'manage_subscription',
    area: 'billing',
    params: ids('id'),
    reply: z.strictObject({ reports: z.array(paymentReport) }),
  },

  reportPayment: {
    method: 'POST',
    path: '/enterprises/{id}/payment-reports',
    tag: 'Billing',
    summary: 'Report that an open invoice has been paid',
    description:
      'Notifies the company by email and in its console, with the reference of the payment. It does not unlock the school: the invoice is paid once the payment is recorded. One report per invoice per day.',
    permission: 'manage_subscription',
    area: 'billing',
    whileClosed: true,
    example: { body: { invoice_number: EXAMPLE.invoiceNumber, reference: 'BACS 18 November' } },
    params: ids('id'),
    body: z.object({ invoice_number: invoiceNumber, reference: paymentReference }),
    reply: z.strictObject({ report: paymentReport }),
    errors: ['invoice_not_found', 'invoice_not_open', 'payment_already_reported'],
  },

  listReportedPayments: {
    method: 'GET',
    path: '/admin/payment-reports',
    tag: 'Operators',
    summary: 'Open invoices that schools reported as paid, each with the latest report',
    description: 'The latest report first, at most 200.',
    permission: 'operator',
    reply: z.strictObject({ reports: z.array(reportedPayment) }),
  },
});
