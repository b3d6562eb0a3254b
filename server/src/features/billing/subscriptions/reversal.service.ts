import type { SchoolDb } from '../../../database/school.ts';
import { findSubscription, getSubscription, setReverted } from './subscriptions.queries.ts';

/*
 * Reverting a purchase whose invoice is uncollectible or credited, and restoring one that is paid after all. What can
 * go wrong:
 *
 * - The school loses what it has paid for. A purchase adds a subscription and never changes the one that it replaces,
 *   so reverting it makes that one current again, with its own days and places. A purchase that replaced none expires
 *   at once, and pupils go on reading.
 * - A later purchase is undone with it. Only the current subscription can be reverted, and a late payment restores a
 *   purchase only if there is no later one. Otherwise the payment is only recorded.
 * - It happens twice, because payments are reported twice, late or out of order. The caller has locked the school and
 *   changes the invoice's status in the same transaction, and an invoice never returns to an earlier status.
 * - The stored state disagrees with what happened. `reverted_at` is the only fact. Which subscription is current and
 *   when it expires are computed from it by one function, `recomputeSubscriptions`, after each change.
 */

/**
 * Reverts a purchase: the subscription that it replaced is current again, or the new one expires now.
 * Returns false and changes nothing if there is a later purchase.
 */
export async function revertPurchase(db: SchoolDb, subscriptionId: number, now: Date): Promise<boolean> {
  const current = await findSubscription(db);
  if (current?.id !== subscriptionId) return false;
  await setReverted(db, subscriptionId, now, now);
  return true;
}

/** Reverses `revertPurchase`, unless there is a later purchase. */
export async function restorePurchase(db: SchoolDb, subscriptionId: number, now: Date): Promise<void> {
  const current = await findSubscription(db);
  const purchase = await getSubscription(db, subscriptionId);
  if (current?.id === purchase.id || current?.id === purchase.replaces_id)
    await setReverted(db, purchase.id, null, now);
}
