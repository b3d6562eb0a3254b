import { type Insertable, type Selectable, sql } from 'kysely';
import type { NextPeriod } from '../../../database/column-types.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';
import { endOfDay } from './period.service.ts';

export type SubscriptionRow = Selectable<Tables['subscriptions']> & {
  /** Its invoice is unpaid. */
  is_awaiting_payment: boolean;
};
type NewSubscription = Omit<
  Insertable<Tables['subscriptions']>,
  'school_id' | 'id' | 'next_period' | 'ended_at' | 'reverted_at'
> & { next_period: NextPeriod | null };

const subscriptionRows = (db: SchoolDb) =>
  db.tx
    .selectFrom('subscriptions as b')
    .selectAll('b')
    .select(
      sql<boolean>`exists (select from invoices i
        where i.school_id = ${db.schoolId} and i.subscription_id = b.id and i.status = 'open')`.as(
        'is_awaiting_payment',
      ),
    )
    .where('b.school_id', '=', db.schoolId);

/** The school's current subscription, active or expired. */
export const findSubscription = (db: SchoolDb): Promise<SubscriptionRow | undefined> =>
  subscriptionRows(db).where('b.ended_at', 'is', null).executeTakeFirst();

export const getSubscription = (db: SchoolDb, id: number): Promise<SubscriptionRow> =>
  subscriptionRows(db).where('b.id', '=', id).executeTakeFirstOrThrow();

/** Adds a subscription, which replaces the current one. Returns its ID. */
export async function insertSubscription(
  db: SchoolDb,
  { next_period, ...subscription }: NewSubscription,
  now: Date,
): Promise<number> {
  const { id } = await db.tx
    .insertInto('subscriptions')
    .values({
      school_id: db.schoolId,
      ...subscription,
      next_period: next_period && JSON.stringify(next_period),
      ended_at: now,
      reverted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recomputeSubscriptions(db, now);
  return id;
}

/** Records when the purchase of a subscription was reverted, or with null that it counts again. */
export async function setReverted(db: SchoolDb, id: number, revertedAt: Date | null, now: Date): Promise<void> {
  await db.tx
    .updateTable('subscriptions')
    .set({ reverted_at: revertedAt })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', id)
    .execute();
  await recomputeSubscriptions(db, now);
}

/**
 * Recomputes `ended_at` and `expires_at` from what the school has purchased and which purchases were reverted. The caller has
 * locked the school. A second run changes nothing.
 *
 * The current subscription is the latest that was not reverted. One that replaced no other stays current when it is
 * reverted, and expires at that moment instead of on the last day of its invoice.
 */
export async function recomputeSubscriptions(db: SchoolDb, now: Date): Promise<void> {
  const update = db.tx.updateTable('subscriptions').where('school_id', '=', db.schoolId);
  const current = await db.tx
    .selectFrom('subscriptions')
    .select(['id', 'replaces_id', 'starts_at', 'expires_at', 'reverted_at'])
    .where('school_id', '=', db.schoolId)
    .where(({ eb, or }) => or([eb('reverted_at', 'is', null), eb('replaces_id', 'is', null)]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!current) return;
  // Before the next statement, because a school has one current subscription at any moment.
  await update.set({ ended_at: now }).where('id', '<>', current.id).where('ended_at', 'is', null).execute();
  await update
    .set({ ended_at: null, expires_at: await computeExpiry(db, current) })
    .where('id', '=', current.id)
    .execute();
}

/** When a subscription expires. Only reverting one that replaced no other changes that. */
async function computeExpiry(
  db: SchoolDb,
  subscription: Pick<SubscriptionRow, 'id' | 'replaces_id' | 'starts_at' | 'expires_at' | 'reverted_at'>,
): Promise<Date> {
  if (subscription.replaces_id !== null) return subscription.expires_at;
  const invoice = await db.tx
    .selectFrom('invoices')
    .select('content')
    .where('school_id', '=', db.schoolId)
    .where('subscription_id', '=', subscription.id)
    .executeTakeFirst();
  if (!invoice) return subscription.expires_at;
  const purchasedUntil = endOfDay(invoice.content.period.to);
  if (!subscription.reverted_at) return purchasedUntil;
  const earliest = subscription.starts_at.getTime() + 1;
  return new Date(Math.min(purchasedUntil.getTime(), Math.max(subscription.reverted_at.getTime(), earliest)));
}

/** The number of pupils who take up a place: all who are not archived. */
export async function countActivePupils(db: SchoolDb): Promise<number> {
  const { pupils } = await db.tx
    .selectFrom('pupils')
    .select(sql<number>`count(*)`.as('pupils'))
    .where('school_id', '=', db.schoolId)
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow();
  return pupils;
}
