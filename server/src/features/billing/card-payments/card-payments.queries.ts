import type { Selectable } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { Tables } from '../../../database/tables.ts';

export type UnmatchedPaymentRow = Selectable<Tables['unmatched_payments']>;
export type UnmatchedReason = UnmatchedPaymentRow['reason'];

/** A payment as the payment provider reports it. */
export type CardPayment = Pick<
  UnmatchedPaymentRow,
  'session_id' | 'invoice_number' | 'reference' | 'amount_pence' | 'currency'
>;

/** Records that a checkout session was paid. False if it was recorded before. Concurrent events wait for each other here. */
export async function recordCheckoutSession(db: PlatformDb, id: string, now: Date): Promise<boolean> {
  const row = await db.tx
    .insertInto('stripe_events')
    .values({ id, received_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertUnmatchedPayment(
  db: PlatformDb,
  payment: CardPayment & Pick<UnmatchedPaymentRow, 'reason' | 'received_at'>,
): Promise<void> {
  await db.tx.insertInto('unmatched_payments').values(payment).execute();
}

/** An operator sees this many at most. */
const MAX_LISTED = 200;

/** Payments to reconcile, the oldest first, with the school of the invoice that each names. */
export async function listUnmatchedPayments(
  db: PlatformDb,
): Promise<(UnmatchedPaymentRow & { school: { id: number; name: string } | null })[]> {
  const rows = await db.tx
    .selectFrom('unmatched_payments as p')
    .leftJoin('invoice_links as l', 'l.number', 'p.invoice_number')
    .selectAll('p')
    .select('l.school_id')
    .where('p.reconciled_at', 'is', null)
    .orderBy('p.received_at')
    .orderBy('p.session_id')
    .limit(MAX_LISTED)
    .execute();
  const schoolIds = rows.flatMap(({ school_id }) => school_id ?? []);
  const schools = await db.tx.selectFrom('schools').select(['id', 'name']).where(inIds('id', schoolIds)).execute();
  return rows.map(({ school_id, ...row }) => ({ ...row, school: schools.find(({ id }) => id === school_id) ?? null }));
}

/** Marks a payment as reconciled. False if it already was. */
export async function updateReconciled(
  db: PlatformDb,
  sessionId: string,
  userId: number | null,
  now: Date,
): Promise<boolean> {
  const row = await db.tx
    .updateTable('unmatched_payments')
    .set({ reconciled_at: now, reconciled_by: userId })
    .where('session_id', '=', sessionId)
    .where('reconciled_at', 'is', null)
    .returning('session_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasUnmatchedPayment(db: PlatformDb, sessionId: string): Promise<boolean> {
  const row = await db.tx
    .selectFrom('unmatched_payments')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  return row !== undefined;
}
