import type { Insertable, Selectable } from 'kysely';
import type { NextPeriod } from '../../../database/column-types.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';

export type SubscriptionRow = Selectable<Tables['subscriptions']>;
/** `price_per_year_pence` is without VAT. Later purchases are compared with it. */
export type NewSubscription = Omit<
  Insertable<Tables['subscriptions']>,
  'school_id' | 'id' | 'price_per_year_pence' | 'next_period'
> & { price_per_year_pence: number; next_period: NextPeriod | null };

/** The school's current subscription, active or expired. */
export const findSubscription = (db: SchoolDb): Promise<SubscriptionRow | undefined> =>
  db.tx
    .selectFrom('subscriptions')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();

export const getSubscription = (db: SchoolDb, id: number): Promise<SubscriptionRow> =>
  db.tx
    .selectFrom('subscriptions')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Starts a subscription of the school and returns it. A second current one violates a unique index. */
export const insertSubscription = (
  db: SchoolDb,
  { next_period, ...subscription }: NewSubscription,
): Promise<SubscriptionRow> =>
  db.tx
    .insertInto('subscriptions')
    .values({
      school_id: db.schoolId,
      ...subscription,
      next_period: next_period && JSON.stringify(next_period),
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Ends the current subscription, if any. */
export async function endSubscription(db: SchoolDb, now: Date): Promise<void> {
  await db.tx
    .updateTable('subscriptions')
    .set({ ended_at: now })
    .where('school_id', '=', db.schoolId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Makes a subscription current again. A second current one violates a unique index. */
export async function resumeSubscription(db: SchoolDb, id: number): Promise<void> {
  await db.tx
    .updateTable('subscriptions')
    .set({ ended_at: null })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', id)
    .execute();
}

/** Changes the state or the end of a subscription. */
export async function updateSubscription(
  db: SchoolDb,
  id: number,
  change: Partial<Pick<SubscriptionRow, 'renewal_status' | 'expires_at'>>,
): Promise<void> {
  await db.tx
    .updateTable('subscriptions')
    .set(change)
    .where('school_id', '=', db.schoolId)
    .where('id', '=', id)
    .execute();
}
