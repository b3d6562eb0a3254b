import type { Insertable } from 'kysely';
import type { PlatformDb } from '../../database/platform.ts';
import type { Tables } from '../../database/tables.ts';

/** Creates a school and returns its id. */
export async function insertSchool(db: PlatformDb, school: Insertable<Tables['schools']>): Promise<number> {
  const { id } = await db.tx.insertInto('schools').values(school).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Makes a user a member of a school's staff. */
export async function insertStaff(db: PlatformDb, schoolId: number, userId: number, role: 'admin' | 'teacher', now: Date): Promise<void> {
  await db.tx.insertInto('staff').values({ school_id: schoolId, user_id: userId, role, digest_optin_at: null, joined_at: now }).execute();
}

export async function insertContact(db: PlatformDb, contact: Insertable<Tables['contacts']>): Promise<void> {
  await db.tx.insertInto('contacts').values(contact).execute();
}

export async function insertSubscription(db: PlatformDb, subscription: Insertable<Tables['subscriptions']>): Promise<void> {
  await db.tx.insertInto('subscriptions').values(subscription).execute();
}
