import type { SchoolDb } from '../../database/school.ts';

/** True while an invoice is unpaid, overdue or not. */
export async function hasOpenInvoice(db: SchoolDb): Promise<boolean> {
  const row = await db.tx
    .selectFrom('invoices')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where('status', '=', 'open')
    .executeTakeFirst();
  return row !== undefined;
}
