import type { Kysely } from 'kysely';
import { createSchoolTable } from '../school-table.ts';

/** Payments reported by schools before the operator has seen them. The key allows one report per invoice per day. */
export const up = (db: Kysely<unknown>) =>
  createSchoolTable(db, {
    name: 'payment_reports',
    columns: [
      'invoice_id bigint not null',
      'reported_on date not null',
      'reported_at timestamptz not null',
      'reported_by bigint not null',
      'reference text not null check (length(reference) between 1 and 100)',
    ],
    key: ['invoice_id', 'reported_on'],
    references: [{ columns: ['invoice_id'], table: 'invoices', onDelete: 'cascade' }],
  });
