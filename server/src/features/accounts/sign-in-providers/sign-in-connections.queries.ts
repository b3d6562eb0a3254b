import type { SchoolDb } from '../../../database/school.ts';

/** That a school's staff sign in through a provider. */
export interface SignInConnection {
  provider: string;
  tenant: string | null;
  countsSecondFactor: boolean;
  createdAt: Date;
}

const rows = (db: SchoolDb) =>
  db.tx
    .selectFrom('sign_in_connections')
    .select(['provider', 'tenant', 'counts_second_factor as countsSecondFactor', 'created_at as createdAt'])
    .where('school_id', '=', db.schoolId);

export const listConnections = (db: SchoolDb): Promise<SignInConnection[]> => rows(db).orderBy('provider').execute();

export const findConnection = (db: SchoolDb, provider: string): Promise<SignInConnection | undefined> =>
  rows(db).where('provider', '=', provider).executeTakeFirst();

/** The same for a sign-in: until its transaction ends, a change or removal of the connection waits. */
export const lockConnection = (db: SchoolDb, provider: string): Promise<SignInConnection | undefined> =>
  rows(db).where('provider', '=', provider).forShare().executeTakeFirst();

/** Adds a connection, or changes whether the provider's second factor counts; the tenant of an existing one stays. */
export async function saveConnection(
  db: SchoolDb,
  { provider, tenant, countsSecondFactor }: Omit<SignInConnection, 'createdAt'>,
  now: Date,
): Promise<void> {
  await db.tx
    .insertInto('sign_in_connections')
    .values({
      school_id: db.schoolId,
      provider,
      tenant,
      counts_second_factor: countsSecondFactor,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['school_id', 'provider']).doUpdateSet({ counts_second_factor: countsSecondFactor }),
    )
    .execute();
}

/** Returns whether staff sign in through a provider only. */
export async function isProviderOnly(db: SchoolDb): Promise<boolean> {
  const school = await db.tx
    .selectFrom('schools')
    .select('is_provider_only')
    .where('id', '=', db.schoolId)
    .executeTakeFirstOrThrow();
  return school.is_provider_only;
}

export async function setProviderOnly(db: SchoolDb, isOn: boolean): Promise<void> {
  await db.tx.updateTable('schools').set({ is_provider_only: isOn }).where('id', '=', db.schoolId).execute();
}

/** Removes a connection. False when the school has none of the provider. */
export async function removeConnection(db: SchoolDb, provider: string): Promise<boolean> {
  const { numDeletedRows } = await db.tx
    .deleteFrom('sign_in_connections')
    .where('school_id', '=', db.schoolId)
    .where('provider', '=', provider)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
