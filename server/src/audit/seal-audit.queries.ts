import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { inIds } from '../database/in-ids.ts';
import type { KeyConfig } from '../auth/secrets-key.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import {
  chainDigest,
  type ChainedEntry,
  chainGap,
  type ChainHead,
  digestDetails,
  digestErased,
  makeHead,
  NO_DETAILS,
} from './audit-chain.ts';
import {
  findHead,
  isSigned,
  listErased,
  lockChain,
  signed,
  signHead,
  type SignedHead,
  toJson,
} from './audit-head.queries.ts';

/** Entries that one transaction seals or deletes. */
export const CHAIN_BATCH_SIZE = 1000;

/** The result of work on a school's chain: how many entries it concerned, or why it did nothing. */
export type ChainWork = { count: number; breach?: undefined } | { count: 0; breach: string };

const LAST_DIGEST_BREACH = 'the latest entries are missing';

/** What shows, before a chain is changed, that someone else changed it: its head and its latest entry. */
export async function checkHead(
  db: PlatformDb,
  config: KeyConfig,
  schoolId: number,
): Promise<{ head: SignedHead; breach?: undefined } | { head: SignedHead | undefined; breach: string }> {
  const head = await findHead(db, schoolId);
  if (!head) return { head, breach: 'the chain is missing' };
  if (!isSigned(config, schoolId, head))
    return { head, breach: 'the signature does not match, or was made with another SECRETS_KEY' };
  if (head.last_number === head.first_number)
    return head.last_digest.equals(head.first_digest) ? { head } : { head, breach: LAST_DIGEST_BREACH };
  const digest = await findDigest(db, schoolId, head.last_number);
  return digest?.equals(head.last_digest) ? { head } : { head, breach: LAST_DIGEST_BREACH };
}

/** The digest of a chain at a number that is still in it. */
export async function findDigest({ tx }: PlatformDb, schoolId: number, number: number): Promise<Buffer | undefined> {
  const seal = await tx
    .selectFrom('audit_seals')
    .select('digest')
    .where('school_id', '=', schoolId)
    .where('number', '=', number)
    .executeTakeFirst();
  return seal?.digest;
}

/** A page of schools with entries that wait to be sealed. A school with an alarm waits until the alarm ends. */
export async function listSchoolsToSeal({ tx }: PlatformDb, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct school_id as id from audit_pending p
    where school_id > ${after} and not exists (select from audit_alarms a where a.school_id = p.school_id)
    order by school_id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** A page of all schools, by ID. */
export async function listSchools({ tx }: PlatformDb, after: number, limit: number): Promise<number[]> {
  const schools = await tx
    .selectFrom('schools')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return schools.map(({ id }) => id);
}

export const hasSchool = async (db: PlatformDb, schoolId: number): Promise<boolean> =>
  (await listSchools(db, schoolId - 1, 1))[0] === schoolId;

/** Seals a batch of the entries that the transactions which wrote them have noted. */
export async function sealPending(db: PlatformDb, config: KeyConfig, schoolId: number, now: Date): Promise<ChainWork> {
  await lockChain(db, schoolId);
  const pending = await db.tx
    .selectFrom('audit_pending')
    .select(['id', 'entry_id'])
    .where('school_id', '=', schoolId)
    .orderBy('id')
    .limit(CHAIN_BATCH_SIZE)
    .execute();
  const entryIds = [...new Set(pending.map(({ entry_id: id }) => id))];
  const work = await sealEntries(db, config, schoolId, entryIds, now);
  if (work.breach !== undefined) return work;
  await db.tx
    .deleteFrom('audit_pending')
    .where(
      inIds(
        'id',
        pending.map(({ id }) => id),
      ),
    )
    .execute();
  return { count: pending.length };
}

/** Seals a batch of entries without a note: those of a chain that begins again, and those that no transaction noted. */
export async function sealMissed(db: PlatformDb, config: KeyConfig, schoolId: number, now: Date): Promise<ChainWork> {
  // Most schools have none, and need no lock.
  const entryIds = await listUnsealedIds(db, schoolId, CHAIN_BATCH_SIZE);
  if (entryIds.length === 0) return { count: 0 };
  await lockChain(db, schoolId);
  return sealEntries(db, config, schoolId, entryIds, now);
}

/** Entries of a school that are not in its chain, of any time or from before `before`. */
export async function listUnsealedIds(
  { tx }: PlatformDb,
  schoolId: number,
  limit: number,
  before: Date | null = null,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from audit_log a
    where school_id = ${schoolId} and (${before}::timestamptz is null or at < ${before}) and not exists (
      select from audit_seals l where l.school_id = ${schoolId} and l.entry_id = a.id)
    order by id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

const listSealedIds = async ({ tx }: PlatformDb, schoolId: number, ids: readonly number[]): Promise<Set<number>> => {
  const sealed = await tx
    .selectFrom('audit_seals')
    .select('entry_id')
    .where('school_id', '=', schoolId)
    .where(inIds('entry_id', ids))
    .execute();
  return new Set(sealed.map(({ entry_id: id }) => id));
};

const listEntries = async ({ tx }: PlatformDb, schoolId: number, ids: readonly number[]): Promise<ChainedEntry[]> => {
  const { rows } = await sql<ChainedEntry>`
    select id, at, action, subject_kind, actor_user_id, impersonator_user_id, program_id, subject_id, details::text as details
    from audit_log where school_id = ${schoolId} and ${inIds('id', ids)}`.execute(tx);
  return rows;
};

/** Gives the next numbers to entries, in the order of their IDs. One that was deleted meanwhile leaves a gap that shows. */
async function sealEntries(
  db: PlatformDb,
  config: KeyConfig,
  schoolId: number,
  entryIds: readonly number[],
  now: Date,
): Promise<ChainWork> {
  if (entryIds.length === 0) return { count: 0 };
  const { head, breach } = await checkHead(db, config, schoolId);
  if (breach !== undefined) return { count: 0, breach };
  const { signature, ...next } = head;
  const sealed = await listSealedIds(db, schoolId, entryIds);
  const entries = new Map((await listEntries(db, schoolId, entryIds)).map((entry) => [entry.id, entry]));
  const seals = entryIds
    .filter((id) => !sealed.has(id))
    .toSorted((a, b) => a - b)
    .map((id) => addSeal(next, id, entries.get(id), now));
  if (seals.length === 0) return { count: 0 };
  await sql`
    select audit.extend(${schoolId}::bigint, ${signature}::bytea, ${JSON.stringify(seals)}::jsonb,
      ${toJson(signed(config, schoolId, next))}::jsonb)`.execute(db.tx);
  return { count: seals.length };
}

/** Moves a head behind an entry, and returns the entry's seal for `audit.extend`. */
function addSeal(head: ChainHead, id: number, entry: ChainedEntry | undefined, now: Date) {
  const salt = randomBytes(16);
  const detailsDigest = entry ? digestDetails(salt, entry) : NO_DETAILS;
  head.last_digest = entry
    ? chainDigest(head.last_digest, entry, detailsDigest, now)
    : chainGap(head.last_digest, id, now);
  head.last_number += 1;
  return {
    number: head.last_number,
    entry_id: id,
    salt: entry ? salt.toString('hex') : null,
    details_digest: detailsDigest.toString('hex'),
    digest: head.last_digest.toString('hex'),
    sealed_at: now,
  };
}

/** A page of schools with entries at or before `before`. */
export async function listSchoolsToPrune(
  { tx }: PlatformDb,
  before: Date,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct school_id as id from audit_log where at <= ${before} and school_id > ${after}
    order by school_id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Deletes a batch of a school's entries at or before `before`, the oldest of the chain first, and moves the signed
 * beginning of the chain behind them.
 */
export async function pruneEntries(
  db: PlatformDb,
  config: KeyConfig,
  schoolId: number,
  before: Date,
): Promise<ChainWork> {
  await lockChain(db, schoolId);
  const { head, breach } = await checkHead(db, config, schoolId);
  if (breach !== undefined) return { count: 0, breach };
  const { signature, ...next } = head;
  const kept = await sql<{ number: number }>`
    select coalesce(min(number), ${head.last_number + 1}) as number from (
      select l.number from audit_seals l join audit_log a on a.school_id = l.school_id and a.id = l.entry_id
      where l.school_id = ${schoolId} and a.at > ${before} order by l.number limit 1) first`.execute(db.tx);
  const last = Math.min((kept.rows[0]?.number ?? 0) - 1, head.first_number + CHAIN_BATCH_SIZE);
  if (last <= head.first_number) return { count: 0 };
  const digest = await findDigest(db, schoolId, last);
  if (!digest) return { count: 0, breach: `entry ${last} of the chain is missing` };
  next.first_number = last;
  next.first_digest = digest;
  if (head.erased > 0) next.erased_digest = digestErased(await listErased(db, schoolId, last));
  await sql`
    select audit.prune(${schoolId}::bigint, ${signature}::bytea, ${last}::bigint,
      ${toJson(signed(config, schoolId, next))}::jsonb)`.execute(db.tx);
  return { count: last - head.first_number };
}

/**
 * Ends the chain of a school whose log was deleted because the school is erased. Its head stays, at its last number; one
 * that someone changed keeps its wrong signature.
 */
export async function endChain(db: PlatformDb, config: KeyConfig, schoolId: number): Promise<void> {
  await lockChain(db, schoolId);
  const head = await findHead(db, schoolId);
  if (!head) return;
  const end: ChainHead = {
    ...makeHead(head.begun_at, head.last_number, head.erased),
    first_digest: head.last_digest,
    last_digest: head.last_digest,
  };
  const signature = isSigned(config, schoolId, head) ? signHead(config, schoolId, end) : head.signature;
  await sql`
    select audit.prune(${schoolId}::bigint, ${head.signature}::bytea, ${head.last_number}::bigint,
      ${toJson({ ...end, signature })}::jsonb)`.execute(db.tx);
}
