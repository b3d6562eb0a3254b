import type { BodyOf } from '#contract/call.ts';
import type { PaymentReport, paymentReportCalls } from '#contract/calls/payment-reports.ts';
import { findStaffAccounts } from '../../accounts/access/access.public.ts';
import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { sendMail } from '../../../mail/mail.ts';
import { dayOf } from '../subscriptions/subscriptions.public.ts';
import { findInvoice, findOpenInvoice, type InvoiceRow } from './invoices.queries.ts';
import { recordInvoiceChange } from './invoices.service.ts';
import { paymentReportMail } from './payment-reports.mail.ts';
import { insertPaymentReport, listReportsFor, type PaymentReportRow } from './payment-reports.queries.ts';

const toPaymentReport = (invoice: InvoiceRow, { reference, reported_at }: PaymentReportRow): PaymentReport => ({
  invoice_number: invoice.number,
  reference,
  reported_at: reported_at.toISOString(),
});

/** The school's payment reports for its open invoice. */
export async function listPaymentReports(db: SchoolDb): Promise<PaymentReport[]> {
  const invoice = await findOpenInvoice(db);
  return invoice ? (await listReportsFor(db, invoice.id)).map((row) => toPaymentReport(invoice, row)) : [];
}

/**
 * Stores that the school reports a payment, and emails the operator. The invoice stays open until the payment is recorded.
 * Throws `invoice_not_found`, `invoice_not_open`, or `payment_already_reported` for a second report on one day.
 */
export async function reportPayment(
  db: SchoolDb,
  me: StaffSession,
  { invoice_number, reference }: BodyOf<typeof paymentReportCalls.reportPayment>,
  config: Config,
  now: Date,
): Promise<PaymentReport> {
  const invoice = await findInvoice(db, { number: invoice_number });
  if (!invoice) throw new AppError('invoice_not_found');
  if (invoice.status !== 'open') throw new AppError('invoice_not_open');
  const report = await insertPaymentReport(db, {
    invoice_id: invoice.id,
    reported_on: dayOf(now),
    reported_at: now,
    reported_by: me.userId,
    reference,
  });
  if (!report) throw new AppError('payment_already_reported');
  await recordInvoiceChange(db, me, now, invoice, 'payment_reported', { reference });
  const account = (await findStaffAccounts(db, [me.userId])).get(me.userId);
  await sendMail(db, paymentReportMail(invoice, reference, account, config), { users: [me.userId] }, now);
  return toPaymentReport(invoice, report);
}
