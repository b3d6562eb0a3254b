import type { Factor } from '#contract/calls/second-factor.ts';
import type { NotNull } from 'kysely';
import { inIds } from '../database/in-ids.ts';
import type { PlatformDb } from '../database/platform-db.ts';

/** An authenticator app with its encrypted secret. */
export interface Authenticator {
  id: number;
  sealedSecret: Buffer;
  /** The last 30-second step whose code was used. */
  lastStep: number | null;
}

/** A passkey as verification needs it. */
export interface Passkey {
  id: number;
  userId: number;
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
}

const COLUMNS = ['id', 'kind', 'name', 'created_at', 'last_used_at'] as const;

interface FactorRow {
  id: number;
  kind: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

const toFactor = ({ id, kind, name, created_at, last_used_at }: FactorRow): Factor => ({
  id,
  kind: kind as Factor['kind'],
  name,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
});

/** The user's confirmed factors, oldest first. */
export async function listFactors(db: PlatformDb, userId: number): Promise<Factor[]> {
  const rows = await db.tx
    .selectFrom('login_factors')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toFactor);
}

/** Which of these users have a confirmed factor. */
export async function listUsersWithFactor(db: PlatformDb, userIds: readonly number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.tx
    .selectFrom('login_factors')
    .select('user_id')
    .distinct()
    .where(inIds('user_id', userIds))
    .where('confirmed_at', 'is not', null)
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

const selectAuthenticators = (db: PlatformDb, userId: number) =>
  db.tx
    .selectFrom('login_factors')
    .select(['id', 'sealed_secret as sealedSecret', 'last_step as lastStep'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'authenticator')
    .$narrowType<{ sealedSecret: NotNull }>();

/** The user's confirmed authenticator apps. */
export const listAuthenticators = (db: PlatformDb, userId: number): Promise<Authenticator[]> =>
  selectAuthenticators(db, userId).where('confirmed_at', 'is not', null).execute();

/** The authenticator app that the user has begun to add. */
export const findBegunAuthenticator = (db: PlatformDb, userId: number): Promise<Authenticator | undefined> =>
  selectAuthenticators(db, userId).where('confirmed_at', 'is', null).executeTakeFirst();

/** Begins to add an authenticator app; an earlier one that was not confirmed is replaced. */
export async function beginAuthenticator(
  db: PlatformDb,
  userId: number,
  sealedSecret: Buffer,
  now: Date,
): Promise<void> {
  await db.tx.deleteFrom('login_factors').where('user_id', '=', userId).where('confirmed_at', 'is', null).execute();
  await db.tx
    .insertInto('login_factors')
    .values({
      user_id: userId,
      kind: 'authenticator',
      name: 'Authenticator app',
      created_at: now,
      sealed_secret: sealedSecret,
    })
    .execute();
}

/**
 * Confirms the begun authenticator app with the step of its first code. Undefined when it was replaced or confirmed
 * meanwhile.
 */
export async function confirmAuthenticator(
  db: PlatformDb,
  factor: { id: number; name: string; step: number },
  now: Date,
): Promise<Factor | undefined> {
  const row = await db.tx
    .updateTable('login_factors')
    .set({ name: factor.name, confirmed_at: now, last_step: factor.step })
    .where('id', '=', factor.id)
    .where('confirmed_at', 'is', null)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row && toFactor(row);
}

/** Records the use of a code. Returns whether it was new: of simultaneous uses of one code, one succeeds. */
export async function consumeStep(db: PlatformDb, factorId: number, step: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db.tx
    .updateTable('login_factors')
    .set({ last_step: step, last_used_at: now })
    .where('id', '=', factorId)
    .where(({ or, eb }) => or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Adds a passkey. Undefined when it is registered already. */
export async function insertPasskey(
  db: PlatformDb,
  passkey: Omit<Passkey, 'id'> & { name: string },
  now: Date,
): Promise<Factor | undefined> {
  const row = await db.tx
    .insertInto('login_factors')
    .values({
      user_id: passkey.userId,
      kind: 'passkey',
      name: passkey.name,
      created_at: now,
      confirmed_at: now,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      sign_count: passkey.signCount,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  return row && toFactor(row);
}

/** A passkey by the ID that its device sends. */
export const findPasskey = (db: PlatformDb, credentialId: string): Promise<Passkey | undefined> =>
  db.tx
    .selectFrom('login_factors')
    .select([
      'id',
      'user_id as userId',
      'credential_id as credentialId',
      'public_key as publicKey',
      'sign_count as signCount',
    ])
    .where('credential_id', '=', credentialId)
    .$narrowType<{ credentialId: NotNull; publicKey: NotNull; signCount: NotNull }>()
    .executeTakeFirst();

/** The IDs of the user's passkeys, so that a device does not register twice. */
export async function listCredentialIds(db: PlatformDb, userId: number): Promise<string[]> {
  const rows = await db.tx
    .selectFrom('login_factors')
    .select('credential_id')
    .where('user_id', '=', userId)
    .where('credential_id', 'is not', null)
    .$narrowType<{ credential_id: NotNull }>()
    .execute();
  return rows.map(({ credential_id }) => credential_id);
}

/**
 * Records the use of a passkey. Returns false when it was removed meanwhile, or its counter has moved on: devices that
 * count never send the same count twice.
 */
export async function recordPasskeyUse(
  db: PlatformDb,
  { id, signCount }: Passkey,
  newCount: number,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db.tx
    .updateTable('login_factors')
    .set({ sign_count: newCount, last_used_at: now })
    .where('id', '=', id)
    .where('sign_count', '=', signCount)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Renames a factor. Undefined when the user has no such factor. */
export async function renameFactor(
  db: PlatformDb,
  userId: number,
  id: number,
  name: string,
): Promise<Factor | undefined> {
  const row = await db.tx
    .updateTable('login_factors')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row && toFactor(row);
}

/** Removes a factor and returns it. Undefined when the user has no such factor. */
export async function removeFactor(db: PlatformDb, userId: number, id: number): Promise<Factor | undefined> {
  const row = await db.tx
    .deleteFrom('login_factors')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row && toFactor(row);
}

/** Removes all factors of a user, begun ones too. */
export async function removeFactors(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.deleteFrom('login_factors').where('user_id', '=', userId).execute();
}

/**
 * Replaces the user's recovery codes; none removes them.
 * @param fingerprint the key of the digests; required with digests
 */
export async function replaceRecoveryCodes(
  db: PlatformDb,
  userId: number,
  digests: readonly Buffer[],
  fingerprint = '',
): Promise<void> {
  await db.tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (digests.length > 0)
    await db.tx
      .insertInto('recovery_codes')
      .values(digests.map((digest) => ({ user_id: userId, digest, key_fingerprint: fingerprint })))
      .execute();
}

/** Uses up a recovery code. Of simultaneous uses, one succeeds. */
export async function consumeRecoveryCode(
  db: PlatformDb,
  userId: number,
  digests: readonly Buffer[],
): Promise<boolean> {
  const { numDeletedRows } = await db.tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('digest', 'in', digests)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** How many recovery codes the user has left. */
export async function countRecoveryCodes(db: PlatformDb, userId: number): Promise<number> {
  const { count } = await db.tx
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}
