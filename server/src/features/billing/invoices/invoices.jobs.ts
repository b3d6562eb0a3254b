import { createHmac } from 'node:crypto';
import { inSchool, type SchoolDb } from '../../../database/school.ts';
import type { Services } from '../../../context.ts';
import type { Job } from '../../../jobs/queue.ts';
import { sendMail } from '../../../mail/mail.ts';
import { NO_PEOPLE } from '../../../mail/outbox.queries.ts';
import { emailKey } from '../../accounts/access/access.public.ts';
import { findBillingContact } from './contacts.queries.ts';
import { renderInvoice } from './invoice-pdf.service.ts';
import { invoiceMail } from './invoices.mail.ts';
import { findInvoice, type InvoiceRow } from './invoices.queries.ts';
import { INVOICE_MAIL_JOB } from './invoices.service.ts';
import { recordNotice } from './reminders.queries.ts';

interface InvoiceMail {
  schoolId: number;
  invoiceId: number;
  isForNewContact?: true;
}

/** Who gets an invoice. A new billing contact gets it only while it is unpaid. */
async function findRecipient(db: SchoolDb, invoice: InvoiceRow, isNewContact: boolean) {
  const email = isNewContact ? (await findBillingContact(db))?.email : invoice.content.email;
  return email && (!isNewContact || invoice.status === 'open') ? { email, isNewContact } : undefined;
}

/** The stage under which the mail to a new contact is recorded: a digest, because the address belongs to a person. */
const stageOfContact = ({ token }: InvoiceRow, email: string): string =>
  `contact:${createHmac('sha256', token).update(emailKey(email)).digest('base64url').slice(0, 22)}`;

/** Sends an invoice with its PDF, once to each address. The PDF is rendered outside transactions. */
export const invoiceMailJob = ({ database, clock, config }: Services): Job<InvoiceMail> => ({
  name: INVOICE_MAIL_JOB,
  concurrency: 2,
  run: async ({ schoolId, invoiceId, isForNewContact: isNewContact = false }) => {
    const invoice = await inSchool(database, schoolId, (db) => findInvoice(db, { id: invoiceId }));
    if (!invoice) return;
    const pdf = await renderInvoice(invoice, undefined, config);
    await inSchool(database, schoolId, async (db) => {
      const current = await findInvoice(db, { id: invoiceId });
      const recipient = current && (await findRecipient(db, current, isNewContact));
      if (!recipient) return;
      const stage = isNewContact ? stageOfContact(invoice, recipient.email) : 'issued';
      if (await recordNotice(db, `invoice:${invoice.id}`, stage, clock.now()))
        await sendMail(db, invoiceMail(invoice, recipient, pdf, config), NO_PEOPLE, clock.now());
    });
  },
});
