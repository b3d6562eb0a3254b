import type { HostedInvoice } from '#contract/calls/hosted-invoices.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../database/database.ts';
import { readInPlatform } from '../../../database/platform.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { readInSchool, type SchoolDb, withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { dayOf } from '../subscriptions/subscriptions.public.ts';
import {
  type CreditNoteRow,
  findCreditNote,
  findInvoice,
  findInvoiceSchool,
  type InvoiceRow,
} from './invoices.queries.ts';
import { isOverdue, toInvoice, toInvoiceFields } from './invoices.service.ts';

interface InvoiceWithCreditNote {
  invoice: InvoiceRow;
  creditNote: CreditNoteRow | undefined;
}

/** Reads the invoice of a public token in its schoolDb transactions. Throws `invoice_not_found`. */
export async function getInvoiceByToken(database: Database, token: string): Promise<InvoiceWithCreditNote> {
  const schoolId = await readInPlatform(database, (db) => findInvoiceSchool(db, { token }));
  if (schoolId === undefined) throw new AppError('invoice_not_found');
  return readInSchool(database, schoolId, async (db) => {
    const invoice = await findInvoice(db, { token });
    if (!invoice) throw new AppError('invoice_not_found');
    return { invoice, creditNote: await findCreditNote(db, invoice.id) };
  });
}

/**
 * Locks the school of an invoice, so that purchases and payments run one after the other, and runs `work` on it.
 * Throws `invoice_not_found`.
 */
export async function withInvoice<T>(
  db: PlatformDb,
  number: string,
  work: (schoolDb: SchoolDb, invoice: InvoiceRow, school: { id: number; name: string }) => Promise<T>,
): Promise<T> {
  const schoolId = await findInvoiceSchool(db, { number });
  if (schoolId === undefined) throw new AppError('invoice_not_found');
  return withSchool(db, schoolId, async (schoolDb) => {
    const school = await lockSchool(schoolDb);
    const invoice = await findInvoice(schoolDb, { number });
    if (!invoice) throw new AppError('invoice_not_found');
    return work(schoolDb, invoice, school);
  });
}

/** Stripe rejects card payments in pounds below this. */
const MIN_CARD_PENCE = 30;

/** True if the invoice can be paid by card while it is open. */
export const acceptsCard = ({ total_pence }: Pick<InvoiceRow, 'total_pence'>, { stripe }: Config): boolean =>
  stripe !== undefined && total_pence >= MIN_CARD_PENCE;

/** An invoice as the API returns it to anyone with its link. */
export const toHostedInvoice = (
  { invoice, creditNote }: InvoiceWithCreditNote,
  config: Config,
  now: Date,
): HostedInvoice => ({
  id: invoice.id,
  ...toInvoiceFields(invoice),
  is_overdue: isOverdue(invoice, now),
  paid_on: invoice.paid_at ? dayOf(invoice.paid_at) : null,
  currency: invoice.currency,
  po_number: invoice.po_number,
  invoice_pdf: toInvoice(invoice, config.publicUrl).invoice_pdf,
  content: invoice.content,
  credit_note: creditNote
    ? { number: creditNote.number, issued_at: creditNote.issued_at.toISOString(), reason: creditNote.reason }
    : null,
  can_pay_by_card: invoice.status === 'open' && acceptsCard(invoice, config),
  bank_account: config.seller.bankAccount ?? null,
});
