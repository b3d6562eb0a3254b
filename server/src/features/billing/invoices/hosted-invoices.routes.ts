import { defineHandlers } from '../../../http/pipeline.ts';
import { FileReply } from '../../../file-reply.ts';
import { getInvoiceByToken, toHostedInvoice } from './hosted-invoices.service.ts';
import { renderInvoice } from './invoice-pdf.service.ts';

export const hostedInvoiceHandlers = defineHandlers({
  getHostedInvoice: {
    // The school is known from the token only, and rendering is slow.
    answer: async ({ params: { invoiceToken }, now, services: { database, config } }) => {
      const found = await getInvoiceByToken(database, invoiceToken.replace(/\.pdf$/, ''));
      if (!invoiceToken.endsWith('.pdf')) return { invoice: toHostedInvoice(found, config, now) };
      const pdf = await renderInvoice(found.invoice, found.creditNote, config);
      return new FileReply('application/pdf', `${found.invoice.number}.pdf`, pdf);
    },
  },
});
