import type { PlatformDb } from '../../../database/platform-db.ts';

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
