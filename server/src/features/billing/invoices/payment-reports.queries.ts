import { type Selectable, sql } from 'kysely';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';
import type { InvoiceRow } from './invoices.queries.ts';

export type PaymentReportRow = Selectable<Tables['payment_reports']>;

/** Stores a report. Returns undefined if the invoice was already reported on that day. */
export const insertPaymentReport = (
  db: SchoolDb,
  report: Omit<PaymentReportRow, 'school_id'>,
): Promise<PaymentReportRow | undefined> =>
  db.tx
    .insertInto('payment_reports')
    .values({ school_id: db.schoolId, ...report })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

/** Reports for an invoice, the latest first. */
export const listReportsFor = (db: SchoolDb, invoiceId: number): Promise<PaymentReportRow[]> =>
  db.tx
    .selectFrom('payment_reports')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .where('invoice_id', '=', invoiceId)
    .orderBy('reported_on', 'desc')
    .limit(31)
    .execute();

/** An operator sees this many at most. */
const MAX_REPORTED = 200;

type ReportedRow = InvoiceRow & { school_name: string; reference: string; reported_at: Date };

/** Open invoices of all schools that were reported as paid, with their latest report, the latest first. */
export async function listReportedInvoices(db: PlatformDb): Promise<ReportedRow[]> {
  return db.tx
    .selectFrom('invoices as i')
    .innerJoin('payment_reports as r', (join) =>
      join.onRef('r.school_id', '=', 'i.school_id').onRef('r.invoice_id', '=', 'i.id'),
    )
    .innerJoin('schools as s', 's.id', 'i.school_id')
    .selectAll('i')
    .select(['s.name as school_name', 'r.reference', 'r.reported_at'])
    .where('i.status', '=', 'open')
    .where(
      sql<boolean>`r.reported_on = (select max(l.reported_on) from payment_reports l
        where l.school_id = i.school_id and l.invoice_id = i.id)`,
    )
    .orderBy('r.reported_at', 'desc')
    .limit(MAX_REPORTED)
    .execute();
}
