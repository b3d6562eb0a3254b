import { sql } from 'kysely';
import { digestSecret, type KeyConfig } from '../auth/secrets-key.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import type { SchoolDb } from '../database/school.ts';
import { type ChainHead, headText, makeHead } from './audit-chain.ts';

/** The signed head of a school's chain. */
export interface SignedHead extends ChainHead {
  signature: Buffer;
}

const PURPOSE = 'audit-chain';

/** The signature of a head, made with the first key. */
export const signHead = (config: KeyConfig, schoolId: number, head: ChainHead): Buffer =>
  digestSecret(config, PURPOSE, headText(schoolId, head))[0];

/** The position of the key that signed a head; -1 when none of the keys did. */
export const findSigningKey = (config: KeyConfig, schoolId: number, { signature, ...head }: SignedHead): number =>
  digestSecret(config, PURPOSE, headText(schoolId, head)).findIndex((digest) => digest.equals(signature));

/** Returns whether one of the keys signed a head. */
export const isSigned = (config: KeyConfig, schoolId: number, head: SignedHead): boolean =>
  findSigningKey(config, schoolId, head) >= 0;

const HEAD_COLUMNS = [
  'begun_at',
  'first_number',
  'first_digest',
  'last_number',
  'last_digest',
  'erased',
  'erased_digest',
  'signature',
] as const;

export const findHead = (db: PlatformDb, schoolId: number): Promise<SignedHead | undefined> =>
  db.tx.selectFrom('audit_chains').select(HEAD_COLUMNS).where('school_id', '=', schoolId).executeTakeFirst();

/** Makes the changes of a school's chain take turns until the transaction ends. */
export async function lockChain({ tx }: PlatformDb, schoolId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('audit-chain', ${schoolId}::bigint))`.execute(tx);
}

export const signed = (config: KeyConfig, schoolId: number, head: ChainHead): SignedHead => ({
  ...head,
  signature: signHead(config, schoolId, head),
});

/** A head for the functions of the database: `database/audit-functions.ts`. */
export const toJson = (head: SignedHead): string =>
  JSON.stringify({
    ...head,
    first_digest: head.first_digest.toString('hex'),
    last_digest: head.last_digest.toString('hex'),
    erased_digest: head.erased_digest.toString('hex'),
    signature: head.signature.toString('hex'),
  });

/** Begins the chain of a school, in the transaction that registers it. */
export async function beginChain({ tx, schoolId }: SchoolDb, config: KeyConfig, now: Date): Promise<void> {
  const head = makeHead(now);
  await tx
    .insertInto('audit_chains')
    .values({ school_id: schoolId, ...head, signature: signHead(config, schoolId, head) })
    .execute();
}

/**
 * Stores the next head of a chain: what the caller changed, or the same head with a new signature. Throws if the head
 * is not the one with `previous` as its signature, or if it would move back.
 */
export async function saveHead(
  { tx }: PlatformDb,
  config: KeyConfig,
  schoolId: number,
  previous: Buffer,
  head: ChainHead,
): Promise<void> {
  await sql`
    select audit.move_head(${schoolId}::bigint, ${previous}::bytea, ${toJson(signed(config, schoolId, head))}::jsonb)`.execute(
    tx,
  );
}

/** An entry whose details were erased. */
export interface ErasedSeal {
  number: number;
  receipt: Buffer;
}

/** The entries of a chain, behind the number `first`, whose details were erased. */
export async function listErased({ tx }: PlatformDb, schoolId: number, first: number): Promise<ErasedSeal[]> {
  const { rows } = await sql<ErasedSeal>`
    select number, receipt from audit_seals
    where school_id = ${schoolId} and number > ${first} and salt is null and receipt is not null order by number`.execute(
    tx,
  );
  return rows;
}

/**
 * Begins the chain of a school again, with everything in its log, and signs it: the operator's answer to a breach that
 * has been looked into. The numbers continue.
 */
export async function restartChain(db: PlatformDb, config: KeyConfig, schoolId: number, now: Date): Promise<ChainHead> {
  await lockChain(db, schoolId);
  const previous = await findHead(db, schoolId);
  const head = makeHead(now, previous?.last_number, previous?.erased);
  await sql`
    select audit.restart(${schoolId}::bigint, ${now}::timestamptz, ${toJson(signed(config, schoolId, head))}::jsonb)`.execute(
    db.tx,
  );
  return head;
}

/**
 * Signs the head of a school's chain with the first key. `unchanged` when that key signed it. A head that none of the keys
 * signed stays as it is, because a new signature would hide that someone changed it.
 */
export async function resignChain(
  db: PlatformDb,
  config: KeyConfig,
  schoolId: number,
): Promise<'resigned' | 'unchanged' | 'unsigned'> {
  await lockChain(db, schoolId);
  const signedHead = await findHead(db, schoolId);
  if (!signedHead) return 'unchanged';
  const position = findSigningKey(config, schoolId, signedHead);
  if (position < 0) return 'unsigned';
  if (position === 0) return 'unchanged';
  const { signature, ...head } = signedHead;
  await saveHead(db, config, schoolId, signature, head);
  return 'resigned';
}
