import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** Card payments that settle no invoice, until an operator has dealt with them. The key allows one row per payment. */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table unmatched_payments (
  session_id text primary key,
  invoice_number text not null,
  reason text not null check (reason in ('amount_differs', 'surplus', 'unknown_invoice')),
  reference text not null,
  amount_pence bigint not null,
  currency text not null,
  received_at timestamptz not null,
  reconciled_at timestamptz,
  reconciled_by bigint
)
`,
  );
