import type { Insertable, Selectable } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';
import type { Tables } from '../../database/tables.ts';

export type SubscriptionRow = Selectable<Tables['subscriptions']>;
export type NewSubscription = Omit<Insertable<Tables['subscriptions']>, 'school_id' | 'id'>;

/** The school's current subscription, running or expired. */
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

/** True when the school has or had a subscription of any kind. */
export async function hadSubscription(db: SchoolDb): Promise<boolean> {
  const row = await db.tx
    .selectFrom('subscriptions')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Starts a subscription of the school and returns it. A second current one violates a unique index. */
export const insertSubscription = (db: SchoolDb, subscription: NewSubscription): Promise<SubscriptionRow> =>
  db.tx
    .insertInto('subscriptions')
    .values({ school_id: db.schoolId, ...subscription })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Ends the current subscription, if there is one. */
export async function endSubscription(db: SchoolDb, now: Date): Promise<void> {
  await db.tx
    .updateTable('subscriptions')
    .set({ ended_at: now })
    .where('school_id', '=', db.schoolId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Makes a subscription the current one again, where there is no other. */
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
