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

interface Recipient {
  email: string;
  /** Became the billing contact after the invoice was issued. */
  isNewContact: boolean;
}

/** The first sentences of the email with an invoice. */
function introOf({ status, content, due_date }: InvoiceRow, { isNewContact }: Recipient): string {
  const due = formatLongDay(due_date);
  if (isNewContact)
    return `You are now the billing contact of ${content.school}. Its unpaid invoice is attached. Its due date is ${due}. Reminders of it are sent to you from now on.`;
  return status === 'paid'
    ? `Thank you. The invoice for ${content.school} is attached; there is nothing to pay.`
    : `Thank you. The invoice for ${content.school} is attached. Please pay it by ${due}.`;
}

/** The email with the invoice as a PDF. */
export function invoiceMail(invoice: InvoiceRow, recipient: Recipient, pdf: Buffer, config: Config): Mail {
  const mail = renderEmail(config.productName, {
    kind: 'invoice',
    recipient: recipient.email,
    subject: `${config.productName}: invoice ${invoice.number}`,
    title: `Invoice ${invoice.number}`,
    paragraphs: [introOf(invoice, recipient)],
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
