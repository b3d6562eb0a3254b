import type { ContactInput } from '#contract/calls/school-details.ts';
import type { Insertable } from 'kysely';
import type { PlatformDb } from '../../database/platform.ts';
import type { SchoolDb } from '../../database/school.ts';
import type { Tables } from '../../database/tables.ts';

/** Creates a school and returns its id. */
export async function insertSchool(db: PlatformDb, school: Insertable<Tables['schools']>): Promise<number> {
  const { id } = await db.tx.insertInto('schools').values(school).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Makes a user a member of the school's staff. */
export async function insertStaff(db: SchoolDb, userId: number, role: 'admin' | 'teacher', now: Date): Promise<void> {
  await db.tx
    .insertInto('staff')
    .values({ school_id: db.schoolId, user_id: userId, role, digest_optin_at: null, joined_at: now })
    .execute();
}

/** Saves a school's contact of its type, in the place of the one before. */
export async function saveContact(db: SchoolDb, contact: ContactInput): Promise<void> {
  await db.tx
    .insertInto('contacts')
    .values({ school_id: db.schoolId, ...contact })
    .onConflict((conflict) => conflict.columns(['school_id', 'type']).doUpdateSet(contact))
    .execute();
}

/** Gives a user the school that they belong to from now on. */
export async function putIntoSchool(db: PlatformDb, userId: number, schoolId: number): Promise<void> {
  await db.tx
    .updateTable('users')
    .set({ school_id: schoolId, user_type: 'enterprise' })
    .where('id', '=', userId)
    .execute();
}

/** Begins a subscription of the school. A second one that runs is a unique violation. */
export async function insertSubscription(
  db: SchoolDb,
  subscription: Omit<Insertable<Tables['subscriptions']>, 'school_id'>,
): Promise<void> {
  await db.tx
    .insertInto('subscriptions')
    .values({ school_id: db.schoolId, ...subscription })
    .execute();
}
