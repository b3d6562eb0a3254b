import { inSchool } from '../../../database/school.ts';
import type { Services } from '../../../context.ts';
import type { Job } from '../../../jobs/queue.ts';
import { sendMail } from '../../../mail/mail.ts';
import { NO_PEOPLE } from '../../../mail/outbox.queries.ts';
import { renderInvoice } from './invoice-pdf.service.ts';
import { invoiceMail } from './invoices.mail.ts';
import { findInvoice } from './invoices.queries.ts';
import { INVOICE_MAIL_JOB } from './invoices.service.ts';
import { recordNotice } from './reminders.queries.ts';

/** Sends an invoice with its PDF, once. The PDF is rendered outside transactions. */
export const invoiceMailJob = ({
  database,
  clock,
  config,
}: Services): Job<{ schoolId: number; invoiceId: number }> => ({
  name: INVOICE_MAIL_JOB,
  concurrency: 2,
  run: async ({ schoolId, invoiceId }) => {
    const invoice = await inSchool(database, schoolId, (db) => findInvoice(db, { id: invoiceId }));
    if (!invoice) return;
    const pdf = await renderInvoice(invoice, undefined, config);
    await inSchool(database, schoolId, async (db) => {
      if (await recordNotice(db, `invoice:${invoice.id}`, 'issued', clock.now()))
        await sendMail(db, invoiceMail(invoice, pdf, config), NO_PEOPLE, clock.now());
    });
  },
});
