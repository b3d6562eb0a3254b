import { FileReply } from '../../../file-reply.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { getInvoiceByToken, toHostedInvoice } from './hosted-invoices.service.ts';
import { renderInvoice } from './invoice-pdf.service.ts';
import { listPaymentReports, reportPayment } from './payment-reports.service.ts';

export const invoiceHandlers = defineHandlers({
  getHostedInvoice: {
    // The school is known from the token only, and rendering is slow.
    answer: async ({ params: { invoiceToken }, now, services: { database, config } }) => {
      const { invoice, creditNote } = await getInvoiceByToken(database, invoiceToken.replace(/\.pdf$/, ''));
      if (!invoiceToken.endsWith('.pdf')) return { invoice: toHostedInvoice({ invoice, creditNote }, config, now) };
      const pdf = await renderInvoice(invoice, creditNote, config);
      return new FileReply('application/pdf', `${invoice.number}.pdf`, pdf);
    },
  },
  listPaymentReports: {
    handle: async ({ db }) => ({ reports: await listPaymentReports(db) }),
  },
  reportPayment: {
    handle: async ({ db, me, body, now, services: { config } }) => ({
      report: await reportPayment(db, me, body, config, now),
    }),
  },
});
