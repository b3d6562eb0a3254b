import { FileReply } from '../../../file-reply.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { getInvoiceByToken, toHostedInvoice } from './hosted-invoices.service.ts';
import { renderInvoice } from './invoice-pdf.service.ts';
import { listPaymentReports, reportPayment } from './payment-reports.service.ts';

export const invoiceHandlers = defineHandlers({
  getHostedInvoice: {
    // The school is known from the token only, and rendering is slow.
    answer: async ({ params: { invoiceToken }, now, services: { database, config } }) => {
      const found = await getInvoiceByToken(database, invoiceToken.replace(/\.pdf$/, ''));
      if (!invoiceToken.endsWith('.pdf')) return { invoice: toHostedInvoice(found, config, now) };
      const pdf = await renderInvoice(found.invoice, found.creditNote, config);
      return new FileReply('application/pdf', `${found.invoice.number}.pdf`, pdf);
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
