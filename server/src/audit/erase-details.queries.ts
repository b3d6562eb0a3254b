import { sql } from 'kysely';
import { inIds } from '../database/in-ids.ts';
import type { KeyConfig } from '../auth/secrets-key.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { type ChainHead, digestErased } from './audit-chain.ts';
import { listErased, lockChain, signed, type SignedHead, toJson } from './audit-head.queries.ts';
import { checkHead } from './seal-audit.queries.ts';

/** For whose erasure details are emptied. */
export interface DetailsErasure {
  config: KeyConfig;
  /** The digest of the erasure, as on its receipt. */
  receipt: Buffer;
}

/**
 * Empties the details of entries of a school's audit log, and adds the entries to the number of erased ones that the
 * head of the chain signs. A chain that someone changed does not stop an erasure, and stays as wrong as it was. On a
 * cluster it needs a transaction of its own. Returns the number of entries.
 */
export async function eraseDetails(
  db: PlatformDb,
  schoolId: number,
  entryIds: readonly number[],
  { config, receipt }: DetailsErasure,
): Promise<number> {
  if (entryIds.length === 0) return 0;
  await lockChain(db, schoolId);
  const { head, breach } = await checkHead(db, config, schoolId);
  const previous = head?.signature ?? null;
  const next = breach === undefined ? await countErased(db, schoolId, head, entryIds, receipt) : undefined;
  const { rows } = await sql<{ count: number }>`
    select audit.erase_details(${schoolId}::bigint, ${[...entryIds]}::bigint[], ${receipt}::bytea, ${previous}::bytea,
      ${next ? toJson(signed(config, schoolId, next)) : null}::jsonb) as count`.execute(db.tx);
  return rows[0]?.count ?? 0;
}

/** The head after an erasure, with more entries that were erased. */
async function countErased(
  db: PlatformDb,
  schoolId: number,
  { signature: _, ...head }: SignedHead,
  entryIds: readonly number[],
  receipt: Buffer,
): Promise<ChainHead> {
  const added = await db.tx
    .selectFrom('audit_seals')
    .select('number')
    .where('school_id', '=', schoolId)
    .where('salt', 'is not', null)
    .where(inIds('entry_id', entryIds))
    .execute();
  const erased = [
    ...(await listErased(db, schoolId, head.first_number)),
    ...added.map(({ number }) => ({ number, receipt })),
  ].toSorted((a, b) => a.number - b.number);
  return { ...head, erased: head.erased + added.length, erased_digest: digestErased(erased) };
}

/** Deletes a batch of the entries of a school that is being erased. Returns how many. */
export async function deleteEntries({ tx }: PlatformDb, schoolId: number, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select audit.delete_entries(${schoolId}::bigint, ${limit}::bigint) as count`.execute(tx);
  return rows[0]?.count ?? 0;
}
