import type { Insertable, Selectable } from 'kysely';
import { withPlatform } from '../../../database/platform.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';
import { enqueue, LAST_NUMBERS_JOB } from '../../../jobs/queue.ts';

export type InvoiceRow = Selectable<Tables['invoices']>;
export type CreditNoteRow = Selectable<Tables['credit_notes']>;

/** Invoices, the newest first. */
export const listInvoices = (db: SchoolDb): Promise<InvoiceRow[]> =>
  db.tx
    .selectFrom('invoices')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .orderBy('issued_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

export const findOpenInvoice = (db: SchoolDb): Promise<InvoiceRow | undefined> =>
  db.tx
    .selectFrom('invoices')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .where('status', '=', 'open')
    .executeTakeFirst();

export const findInvoice = (db: SchoolDb, by: { token: string } | { number: string } | { id: number }) => {
  const invoices = db.tx.selectFrom('invoices').selectAll().where('school_id', '=', db.schoolId);
  if ('id' in by) return invoices.where('id', '=', by.id).executeTakeFirst();
  return (
    'token' in by ? invoices.where('token', '=', by.token) : invoices.where('number', '=', by.number)
  ).executeTakeFirst();
};

export const findCreditNote = (db: SchoolDb, invoiceId: number): Promise<CreditNoteRow | undefined> =>
  db.tx
    .selectFrom('credit_notes')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirst();

const PREFIXES = { invoice: 'INV-', credit_note: 'CN-' } as const;

/**
 * The next number of a kind: `INV-000042`. Its row stays locked until the transaction ends: numbers are in order of
 * issue, and a rollback returns its number. Call it last, so that other transactions wait briefly.
 */
async function nextNumber(db: PlatformDb, kind: keyof typeof PREFIXES): Promise<string> {
  const { last } = await db.tx
    .updateTable('document_numbers')
    .set(({ eb }) => ({ last: eb('last', '+', 1) }))
    .where('kind', '=', kind)
    .returning('last')
    .executeTakeFirstOrThrow();
  if (db.jobs?.has(LAST_NUMBERS_JOB)) await enqueue(db, LAST_NUMBERS_JOB, {});
  return PREFIXES[kind] + String(last).padStart(6, '0');
}

type NewInvoice = Omit<Insertable<Tables['invoices']>, 'school_id' | 'id' | 'number' | 'content'> & {
  content: InvoiceRow['content'];
};

/** Writes an invoice under the next number, and its public link. A second open invoice violates a unique index. */
export async function insertInvoice(db: SchoolDb, { content, ...invoice }: NewInvoice): Promise<InvoiceRow> {
  const number = await withPlatform(db, async (platform) => {
    const next = await nextNumber(platform, 'invoice');
    await platform.tx
      .insertInto('invoice_links')
      .values({ token: invoice.token, number: next, school_id: db.schoolId })
      .execute();
    return next;
  });
  return db.tx
    .insertInto('invoices')
    .values({ school_id: db.schoolId, number, content: JSON.stringify(content), ...invoice })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Writes the credit note of an invoice under the next number. */
export async function insertCreditNote(
  db: SchoolDb,
  invoiceId: number,
  reason: string,
  now: Date,
): Promise<CreditNoteRow> {
  const number = await withPlatform(db, (platform) => nextNumber(platform, 'credit_note'));
  return db.tx
    .insertInto('credit_notes')
    .values({ school_id: db.schoolId, invoice_id: invoiceId, number, issued_at: now, reason })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes the status of an invoice. No other column ever changes. */
export async function updateInvoiceStatus(
  db: SchoolDb,
  id: number,
  change: Pick<InvoiceRow, 'status'> & Partial<Pick<InvoiceRow, 'paid_at' | 'closed_at'>>,
): Promise<InvoiceRow> {
  return db.tx
    .updateTable('invoices')
    .set(change)
    .where('school_id', '=', db.schoolId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The school of a public token or of an invoice's number. */
export async function findInvoiceSchool(
  db: PlatformDb,
  by: { token: string } | { number: string },
): Promise<number | undefined> {
  const [column, value] = 'token' in by ? (['token', by.token] as const) : (['number', by.number] as const);
  const row = await db.tx.selectFrom('invoice_links').select('school_id').where(column, '=', value).executeTakeFirst();
  return row?.school_id;
}
