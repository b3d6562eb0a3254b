import { formatLongDay } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';
import type { InvoiceRow } from './invoices.queries.ts';
import { toInvoice } from './invoices.service.ts';

const money = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

export const invoiceFacts = (invoice: InvoiceRow): [string, string][] => [
  ['Invoice', invoice.number],
  ['Amount', `${money.format(invoice.total_pence / 100)}, VAT included`],
  ['Due', formatLongDay(invoice.due_date)],
  ['School', invoice.content.school],
  ...(invoice.po_number ? ([['Purchase order', invoice.po_number]] as [string, string][]) : []),
];

export const payAction = (invoice: InvoiceRow, { publicUrl }: Config) => ({
  label: 'See the invoice and pay',
  url: toInvoice(invoice, publicUrl).hosted_invoice_url,
});

/** What the mails of an invoice are about. */
export const aboutInvoice = ({ number }: { number: string }): string => `invoice:${number}`;

/** The email with the invoice as a PDF. */
export function invoiceMail(invoice: InvoiceRow, pdf: Buffer, config: Config): Mail {
  const isPaid = invoice.status === 'paid';
  const mail = renderEmail(config.productName, {
    kind: 'invoice',
    recipient: invoice.content.email,
    subject: `${config.productName}: invoice ${invoice.number}`,
    title: `Invoice ${invoice.number}`,
    paragraphs: [
      isPaid
        ? `Thank you. The invoice for ${invoice.content.school} is attached; there is nothing to pay.`
        : `Thank you. The invoice for ${invoice.content.school} is attached. Please pay it by ${formatLongDay(invoice.due_date)}.`,
    ],
    facts: invoiceFacts(invoice),
    action: payAction(invoice, config),
    closing: ['Anyone with the link can see and pay the invoice. You can forward it to your finance office.'],
  });
  return {
    ...mail,
    about: aboutInvoice(invoice),
    attachments: [{ name: `${invoice.number}.pdf`, type: 'application/pdf', content: pdf.toString('base64') }],
  };
}
