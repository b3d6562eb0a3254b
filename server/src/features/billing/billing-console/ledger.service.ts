import { addDays } from '../../../clock.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { fieldError } from '../../../errors.ts';
import { writeCsv } from '#contract/csv.ts';
import type { InvoiceRow } from '../invoices/invoices.public.ts';
import { dayOf, startOfDay } from '../subscriptions/subscriptions.public.ts';
import { type LedgerRow, listLedger } from './billing-console.queries.ts';

const LEDGER_HEADERS = [
  'Type',
  'Number',
  'Date',
  'School id',
  'School',
  'Country',
  'Purchase order',
  'Net',
  'VAT rate %',
  'VAT',
  'Total',
  'Due',
  'Status',
  'Paid on',
  'Credits invoice',
];

/** Pounds as a number, so that a spreadsheet can add them up. */
const toPounds = (pence: number): number => pence / 100;

/** The longest range of one export. */
const MAX_LEDGER_DAYS = 732;

/** Invoices and credit notes between two days, both included, as CSV for the accountant. */
export async function exportLedger(db: PlatformDb, from: string, to: string): Promise<string> {
  if (to < from || to > addDays(from, MAX_LEDGER_DAYS))
    throw fieldError('to', 'Give a last day after the first, at most two years later.');
  const { invoices, credits } = await listLedger(db, startOfDay(from), startOfDay(addDays(to, 1)));
  const line = (row: InvoiceRow & { school_name: string }, note?: LedgerRow): (string | number)[] => {
    const sign = note ? -1 : 1;
    return [
      note ? 'Credit note' : 'Invoice',
      note?.credit_number ?? row.number,
      dayOf(note?.credited_at ?? row.issued_at),
      row.school_id,
      row.school_name,
      row.content.country_code,
      row.po_number ?? '',
      toPounds(sign * row.subtotal_pence),
      row.content.vat_rate / 100,
      toPounds(sign * row.vat_pence),
      toPounds(sign * row.total_pence),
      note ? '' : row.due_date,
      note ? '' : row.status,
      !note && row.paid_at ? dayOf(row.paid_at) : '',
      note ? row.number : '',
    ];
  };
  return writeCsv([LEDGER_HEADERS, ...invoices.map((row) => line(row)), ...credits.map((row) => line(row, row))]);
}
