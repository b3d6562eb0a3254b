import type { PlatformDb } from '../../database/platform-db.ts';

/** Notes the id of an event, or of a payment. False when it was there: two at once wait for each other here. */
export async function recordStripeId(db: PlatformDb, id: string, now: Date): Promise<boolean> {
  const row = await db.tx
    .insertInto('stripe_events')
    .values({ id, received_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
