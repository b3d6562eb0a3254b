import { inIds } from '../database/in-ids.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { NO_PASSWORD } from './password-hashing.ts';

/** An account at a provider, by what cannot change. Its email address can, so no account is ever found by it. */
export interface ProviderAccount {
  /** The ID of the provider in the settings. */
  provider: string;
  issuer: string;
  subject: string;
  /** The tenant (Microsoft) or domain (Google) of its organisation; null for a provider with one organisation. */
  tenant: string | null;
}

/** An account at a provider that a user has linked. */
export interface LinkedAccount {
  id: number;
  userId: number;
  provider: string;
  tenant: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const selectAccounts = (db: PlatformDb) =>
  db.tx
    .selectFrom('linked_accounts')
    .select(['id', 'user_id as userId', 'provider', 'tenant', 'created_at as createdAt', 'last_used_at as lastUsedAt']);

/** The link of a provider's account to its user. */
export const findLinkedAccount = (
  db: PlatformDb,
  { issuer, subject }: ProviderAccount,
): Promise<LinkedAccount | undefined> =>
  selectAccounts(db).where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst();

/** The accounts that a user has linked, oldest first. */
export const listLinkedAccounts = (db: PlatformDb, userId: number): Promise<LinkedAccount[]> =>
  selectAccounts(db).where('user_id', '=', userId).orderBy('created_at').orderBy('id').execute();

/** Of these users, those who have linked an account at one of these providers in its tenant. */
export async function listUsersLinked(
  db: PlatformDb,
  userIds: readonly number[],
  connections: readonly Pick<ProviderAccount, 'provider' | 'tenant'>[],
): Promise<Set<number>> {
  if (userIds.length === 0 || connections.length === 0) return new Set();
  const rows = await db.tx
    .selectFrom('linked_accounts')
    .select('user_id')
    .where(inIds('user_id', userIds))
    .where(({ or, and, eb }) =>
      or(
        connections.map(({ provider, tenant }) =>
          and([eb('provider', '=', provider), eb('tenant', 'is not distinct from', tenant)]),
        ),
      ),
    )
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

/** Links an account. False when it is linked already, or the user has linked another one of the provider. */
export async function insertLinkedAccount(
  db: PlatformDb,
  userId: number,
  { provider, issuer, subject, tenant }: ProviderAccount,
  now: Date,
): Promise<boolean> {
  const row = await db.tx
    .insertInto('linked_accounts')
    .values({ user_id: userId, provider, issuer, subject, tenant, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Records a sign-in with a linked account. Returns false when it was unlinked meanwhile. */
export async function touchLinkedAccount(db: PlatformDb, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db.tx
    .updateTable('linked_accounts')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Unlinks an account, ends the sessions that began with it, and returns its provider. Undefined when the user has not linked it. */
export async function removeLinkedAccount(db: PlatformDb, userId: number, id: number): Promise<string | undefined> {
  const row = await db.tx
    .deleteFrom('linked_accounts')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('provider')
    .executeTakeFirst();
  return row?.provider;
}

/**
 * Unlinks all accounts of a user, which ends the sessions that began with them.
 * @param exceptSession the hash of a session whose account stays
 */
export async function removeLinkedAccounts(db: PlatformDb, userId: number, exceptSession?: Buffer): Promise<void> {
  await db.tx
    .deleteFrom('linked_accounts as l')
    .where('l.user_id', '=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessions as s')
            .select('s.user_id')
            .whereRef('s.linked_account_id', '=', 'l.id')
            .where('s.token_hash', '=', exceptSession ?? null),
        ),
      ),
    )
    .execute();
}

/** Lets a session that began with a linked account continue without it. */
export async function detachSession(db: PlatformDb, tokenHash: Buffer, linkedAccountId: number): Promise<void> {
  await db.tx
    .updateTable('sessions')
    .set({ linked_account_id: null, has_provider_factor: false })
    .where('token_hash', '=', tokenHash)
    .where('linked_account_id', '=', linkedAccountId)
    .execute();
}

/** The accounts of a school's staff at a provider. */
const accountsOfStaff = (db: PlatformDb, schoolId: number, provider: string) =>
  db.tx
    .selectFrom('linked_accounts as l')
    .innerJoin('user_schools as m', 'm.user_id', 'l.user_id')
    .select('l.id')
    .where('m.school_id', '=', schoolId)
    .where('l.provider', '=', provider);

/** Ends the logins of a school's staff that began at a provider, and their sessions in the school. */
export async function endProviderSessions(db: PlatformDb, schoolId: number, provider: string): Promise<void> {
  const accounts = accountsOfStaff(db, schoolId, provider);
  // The steps first: a login that ends its step meanwhile commits its session before the next statement.
  await db.tx.deleteFrom('login_steps').where('linked_account_id', 'in', accounts).execute();
  await db.tx
    .deleteFrom('sessions')
    .where('school_id', '=', schoolId)
    .where('linked_account_id', 'in', accounts)
    .execute();
}

/** Second factors at a provider no longer count for the sessions in a school that began there. */
export async function forgetProviderFactors(db: PlatformDb, schoolId: number, provider: string): Promise<void> {
  await db.tx
    .updateTable('sessions')
    .set({ has_provider_factor: false })
    .where('school_id', '=', schoolId)
    .where('linked_account_id', 'in', accountsOfStaff(db, schoolId, provider))
    .where('has_provider_factor', '=', true)
    .execute();
}

/** Returns whether the user can log in with a password, a passkey or a linked account. */
export async function hasLoginMethod(db: PlatformDb, userId: number): Promise<boolean> {
  const user = await db.tx
    .selectFrom('users as u')
    .select('u.id')
    .where('u.id', '=', userId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('u.password_hash', '!=', NO_PASSWORD),
        exists(
          selectFrom('login_factors as f')
            .select('f.id')
            .whereRef('f.user_id', '=', 'u.id')
            .where('f.kind', '=', 'passkey'),
        ),
        exists(selectFrom('linked_accounts as l').select('l.id').whereRef('l.user_id', '=', 'u.id')),
      ]),
    )
    .executeTakeFirst();
  return user !== undefined;
}
