import type { SchoolDb } from '../../../database/school.ts';
import { endOfDay } from './period.service.ts';
import {
  endSubscription,
  findSubscription,
  getSubscription,
  resumeSubscription,
  updateSubscription,
} from './subscriptions.queries.ts';

/**
 * Reverts a purchase: resumes the subscription that it replaced, or ends the new one now.
 * Returns false and changes nothing if the school has bought something else since.
 */
export async function revertPurchase(db: SchoolDb, subscriptionId: number, now: Date): Promise<boolean> {
  const current = await findSubscription(db);
  if (current?.id !== subscriptionId) return false;
  await updateSubscription(db, current.id, { renewal_status: null });
  if (current.replaces_id !== null) {
    await endSubscription(db, now);
    await resumeSubscription(db, current.replaces_id);
  } else if (current.expires_at > now) {
    const earliest = new Date(current.starts_at.getTime() + 1);
    await updateSubscription(db, current.id, { expires_at: now > earliest ? now : earliest });
  }
  return true;
}

/** Reverses `revertPurchase`, unless the school has bought something else since. */
export async function restorePurchase(db: SchoolDb, subscriptionId: number, lastDay: string, now: Date): Promise<void> {
  const current = await findSubscription(db);
  if (current?.id === subscriptionId) return updateSubscription(db, current.id, { expires_at: endOfDay(lastDay) });
  const bought = await getSubscription(db, subscriptionId);
  if (!current || bought.replaces_id !== current.id) return undefined;
  await endSubscription(db, now);
  return resumeSubscription(db, subscriptionId);
}
