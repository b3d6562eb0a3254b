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

const rows = (db: PlatformDb) =>
  db.tx
    .selectFrom('linked_accounts')
    .select(['id', 'user_id as userId', 'provider', 'tenant', 'created_at as createdAt', 'last_used_at as lastUsedAt']);

/** Who has linked this account. */
export const findLinkedAccount = (
  db: PlatformDb,
  { issuer, subject }: ProviderAccount,
): Promise<LinkedAccount | undefined> =>
  rows(db).where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst();

/** The accounts that a user has linked, oldest first. */
export const listLinkedAccounts = (db: PlatformDb, userId: number): Promise<LinkedAccount[]> =>
  rows(db).where('user_id', '=', userId).orderBy('created_at').orderBy('id').execute();

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

/** Records a sign-in with a linked account. */
export async function touchLinkedAccount(db: PlatformDb, id: number, now: Date): Promise<void> {
  await db.tx.updateTable('linked_accounts').set({ last_used_at: now }).where('id', '=', id).execute();
}

/** Unlinks an account and returns its provider. Undefined when the user has not linked it. */
export async function removeLinkedAccount(db: PlatformDb, userId: number, id: number): Promise<string | undefined> {
  const row = await db.tx
    .deleteFrom('linked_accounts')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('provider')
    .executeTakeFirst();
  return row?.provider;
}

/** Unlinks all accounts of a user. */
export async function removeLinkedAccounts(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.deleteFrom('linked_accounts').where('user_id', '=', userId).execute();
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
