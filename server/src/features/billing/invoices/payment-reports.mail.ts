import type { Config } from '../../../config.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';
import { invoiceFacts } from './invoices.mail.ts';
import type { InvoiceRow } from './invoices.queries.ts';

interface Reporter {
  first_name: string;
  last_name: string;
  email: string;
}

/** Tells the operator that a school reports a payment. Replies go to the person who reported it. */
export function paymentReportMail(
  invoice: InvoiceRow,
  reference: string,
  reporter: Reporter | undefined,
  { productName, publicUrl, support }: Config,
): Mail {
  const mail = renderEmail(productName, {
    kind: 'payment_report',
    recipient: support.email,
    subject: `${invoice.content.school} reports that ${invoice.number} is paid`,
    title: `${invoice.number} is reported as paid`,
    paragraphs: [
      'Check the bank account for this payment, then record it. Until then the invoice stays open, and the school stays locked if the due date has passed.',
    ],
    facts: [
      ...invoiceFacts(invoice),
      ['Reference', reference],
      ...(reporter
        ? ([['Reported by', `${reporter.first_name} ${reporter.last_name}, ${reporter.email}`]] as const)
        : []),
    ],
    action: { label: 'Record the payment', url: `${publicUrl}/admin/invoices?status=due` },
  });
  return reporter ? { ...mail, headers: { 'Reply-To': reporter.email } } : mail;
}
