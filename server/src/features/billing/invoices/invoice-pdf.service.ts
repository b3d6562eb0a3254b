import { runInWorker } from '../../../workers/worker-pool.ts';
import type { Config } from '../../../config.ts';
import { dayOf } from '../subscriptions/subscriptions.public.ts';
import type { CreditNoteRow, InvoiceRow } from './invoices.queries.ts';
import { toInvoice } from './invoices.service.ts';

/** Limits of the worker that renders. */
const LIMITS = { cpuMs: 10_000 };

/** Renders an invoice as a PDF. Only a credit note changes it. Call it outside transactions. */
export async function renderInvoice(
  invoice: InvoiceRow,
  creditNote: CreditNoteRow | undefined,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Promise<Buffer> {
  const bytes = await runInWorker(
    'renderInvoice',
    {
      number: invoice.number,
      issuedOn: dayOf(invoice.issued_at),
      dueOn: invoice.due_date,
      subtotal: invoice.subtotal_pence,
      vat: invoice.vat_pence,
      total: invoice.total_pence,
      poNumber: invoice.po_number,
      content: invoice.content,
      url: toInvoice(invoice, publicUrl).hosted_invoice_url,
      creditNote: creditNote
        ? { number: creditNote.number, issuedOn: dayOf(creditNote.issued_at), reason: creditNote.reason }
        : null,
    },
    LIMITS,
  );
  return Buffer.from(bytes);
}
