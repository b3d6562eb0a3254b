import { sql } from 'kysely';
import type { Finding } from './invariants.queries.ts';
import type { Database } from './database.ts';
import { inPlatform, readInPlatform } from './platform.ts';
import type { PlatformDb } from './platform-db.ts';

/*
 * The identities of the keys in SECRETS_KEY. Keys are offered by their fingerprints, of which the first encrypts.
 * docs/running.md, "Secrets"
 */

interface Key {
  fingerprint: string;
  retired_at: Date | null;
}

/** The keys of the database, the oldest first. */
export const listKeys = (db: PlatformDb): Promise<Key[]> =>
  db.tx.selectFrom('secret_keys').select(['fingerprint', 'retired_at']).orderBy('id').execute();

const listActive = (keys: readonly Key[]): string[] =>
  keys.filter(({ retired_at }) => retired_at === null).map(({ fingerprint }) => fingerprint);

/** Why the portal must not run with the offered keys; undefined if it may. */
function findProblem(keys: readonly Key[], offered: readonly string[]): string | undefined {
  const active = listActive(keys);
  const retired = keys.find(({ fingerprint, retired_at }) => fingerprint === offered[0] && retired_at);
  if (retired)
    return `begins with the key ${retired.fingerprint}, which was retired on ${retired.retired_at?.toISOString().slice(0, 10)}. Put the current key first: ${active.join(' or ')}`;
  if (active.length === 0 || active.some((fingerprint) => offered.includes(fingerprint))) return undefined;
  return `does not contain the key of this database, ${active.join(' or ')}, but ${offered.join(' and ')}. Set SECRETS_KEY to the key with which the portal ran before, or copy its file secrets.key to DATA_DIR. If that key is lost, see docs/running.md, "Secrets"`;
}

/** Keys of the database that are not offered, without those that were retired. */
export async function listMissingKeys(db: PlatformDb, offered: readonly string[]): Promise<string[]> {
  return listActive(await listKeys(db)).filter((fingerprint) => !offered.includes(fingerprint));
}

/** Checks that the offered keys include all those that a restored backup needs. */
export const checkKeys = async (db: PlatformDb, offered: readonly string[]): Promise<Finding> => ({
  rule: 'SECRETS_KEY contains every key of the backup',
  breaches: (await listMissingKeys(db, offered)).map((fingerprint) => `the key ${fingerprint}`),
});

const insertKeys = (db: PlatformDb, fingerprints: readonly string[], now: Date) =>
  db.tx
    .insertInto('secret_keys')
    .values(fingerprints.map((fingerprint) => ({ fingerprint, first_used_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/**
 * Records the key that encrypts; at the first start all keys. Returns the keys of the database that are not offered.
 * Throws an Error for the operator when none of them is, or when the key that encrypts was retired.
 */
export const admitKeys = (database: Database, offered: readonly string[], now: Date): Promise<string[]> =>
  inPlatform(database, async (db) => {
    const keys = await listKeys(db);
    const problem = findProblem(keys, offered);
    if (problem) throw new Error(`SECRETS_KEY ${problem}. Nothing was changed.`);
    // The last is the oldest.
    await insertKeys(db, keys.length === 0 ? offered.toReversed() : offered.slice(0, 1), now);
    return listMissingKeys(db, offered);
  });

/** Why the portal must not run with the offered keys, without changing anything; undefined if it may. */
export const readKeyProblem = (database: Database, offered: readonly string[]): Promise<string | undefined> =>
  readInPlatform(database, async (db) => {
    // A database that no portal of this version has started with has no keys yet.
    const { rows } = await sql`select where to_regclass('public.secret_keys') is not null`.execute(db.tx);
    return rows.length > 0 ? findProblem(await listKeys(db), offered) : undefined;
  });

/** Marks a key as retired. False if it is unknown, or was retired before. */
export async function retireKey(db: PlatformDb, fingerprint: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db.tx
    .updateTable('secret_keys')
    .set({ retired_at: now })
    .where('fingerprint', '=', fingerprint)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Retires a key that is lost, and records the one that is offered instead. What only the lost key decrypts stays
 * unreadable. Throws an Error for the operator when the key is unknown or offered.
 */
export async function forgetKey(
  db: PlatformDb,
  fingerprint: string,
  offered: readonly string[],
  now: Date,
): Promise<void> {
  if (offered.includes(fingerprint))
    throw new Error(`SECRETS_KEY contains the key ${fingerprint}, so it is not lost: npm run operator -- rotate-key`);
  if (!(await retireKey(db, fingerprint, now)))
    throw new Error(`The database has no key ${fingerprint} that is in use. Nothing was changed.`);
  await insertKeys(db, offered.slice(0, 1), now);
  const problem = findProblem(await listKeys(db), offered);
  if (problem) throw new Error(`SECRETS_KEY ${problem}. Nothing was changed.`);
}
