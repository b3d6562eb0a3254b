import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { digestSecret, type KeyConfig } from '../auth/secrets-key.ts';
import type { Finding } from '../database/backup/invariants.queries.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import {
  CHAIN_START,
  chainDigest,
  type ChainedEntry,
  type ChainEnds,
  chainText,
  digestDetails,
} from './audit-chain.ts';

/** Entries per statement. */
const BATCH_SIZE = 1000;
/** An entry is chained within this time. It covers the longest transaction, whose entries appear late. */
const SEALING_MS = 3_600_000;
/** A longer list would not be read. */
const MAX_BREACHES = 20;

const PURPOSE = 'audit-chain';

const sign = (config: KeyConfig, schoolId: number, ends: ChainEnds): Buffer =>
  digestSecret(config, PURPOSE, chainText(schoolId, ends))[0];

/** The position of the key that signed the ends of a chain; undefined when none of the keys did. */
export function findSigningKey(
  config: KeyConfig,
  schoolId: number,
  ends: ChainEnds,
  signature: Buffer,
): number | undefined {
  const position = digestSecret(config, PURPOSE, chainText(schoolId, ends)).findIndex((one) => one.equals(signature));
  return position < 0 ? undefined : position;
}

export const findChain = (db: PlatformDb, schoolId: number) =>
  db.tx
    .selectFrom('audit_chains')
    .select(['first_number', 'first_digest', 'last_number', 'last_digest', 'signature'])
    .where('school_id', '=', schoolId);

/** The first school after `after` with entries that are not in its chain yet. */
export async function findSchoolToSeal(db: PlatformDb, after: number, now: Date): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select s.id from schools s
    where s.id > ${after} and (
      not exists (select from audit_chains c where c.school_id = s.id)
      or exists (
        select from audit_log a where a.school_id = s.id and a.at > ${new Date(now.getTime() - SEALING_MS)}
          and not exists (select from audit_seals l where l.school_id = a.school_id and l.entry_id = a.id)))
    order by s.id limit 1`.execute(db.tx);
  return rows[0]?.id;
}

const listUnsealed = async (
  db: PlatformDb,
  schoolId: number,
  since: Date | null,
  after: number,
): Promise<ChainedEntry[]> => {
  const { rows } = await sql<ChainedEntry>`
    select id, at, action, subject_kind, actor_user_id, impersonator_user_id, subject_id, details::text as details
    from audit_log a
    where school_id = ${schoolId} and id > ${after} and (${since}::timestamptz is null or at > ${since})
      and not exists (select from audit_seals l where l.school_id = a.school_id and l.entry_id = a.id)
    order by id limit ${BATCH_SIZE}`.execute(db.tx);
  return rows;
};

/**
 * Adds the entries of a school that are not in its chain yet. The first time it adds all that the school has.
 */
export async function sealEntries(db: PlatformDb, config: KeyConfig, schoolId: number, now: Date): Promise<void> {
  const begun = { first_number: 0, first_digest: CHAIN_START, last_number: 0, last_digest: CHAIN_START };
  const added = await db.tx
    .insertInto('audit_chains')
    .values({ school_id: schoolId, ...begun, signature: sign(config, schoolId, begun) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('school_id')
    .executeTakeFirst();
  const { signature: _, ...ends } = await findChain(db, schoolId).forUpdate().executeTakeFirstOrThrow();
  const since = added ? null : new Date(now.getTime() - SEALING_MS);
  let last = 0;
  for (;;) {
    const entries = await listUnsealed(db, schoolId, since, last);
    if (entries.length === 0) break;
    last = entries.at(-1)?.id ?? last;
    const seals = entries.map((entry) => {
      const salt = randomBytes(16);
      const details_digest = digestDetails(salt, entry);
      ends.last_digest = chainDigest(ends.last_digest, entry, details_digest);
      ends.last_number += 1;
      const seal = { number: ends.last_number, entry_id: entry.id, salt, details_digest, digest: ends.last_digest };
      return { school_id: schoolId, ...seal };
    });
    await db.tx.insertInto('audit_seals').values(seals).execute();
  }
  if (last > 0) await saveChain(db, config, schoolId, ends);
}

export const saveChain = (db: PlatformDb, config: KeyConfig, schoolId: number, ends: ChainEnds) =>
  db.tx
    .updateTable('audit_chains')
    .set({ ...ends, signature: sign(config, schoolId, ends) })
    .where('school_id', '=', schoolId)
    .execute();

/** The first school after `after` with entries at or before `before`. */
export async function findSchoolToPrune(db: PlatformDb, before: Date, after: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number | null }>`
    select min(school_id) as id from audit_log where at <= ${before} and school_id > ${after}`.execute(db.tx);
  return rows[0]?.id ?? undefined;
}

/**
 * Deletes a batch of a school's entries at or before `before`, the oldest of the chain first, and moves the signed
 * beginning of the chain behind them. Returns the number deleted.
 */
export async function pruneEntries(db: PlatformDb, config: KeyConfig, schoolId: number, before: Date): Promise<number> {
  const chain = await findChain(db, schoolId).forUpdate().executeTakeFirst();
  if (!chain) return 0;
  const { signature: _, ...ends } = chain;
  const kept = await sql<{ number: number }>`
    select coalesce(min(number), ${ends.last_number + 1}) as number from (
      select l.number from audit_seals l join audit_log a on a.school_id = l.school_id and a.id = l.entry_id
      where l.school_id = ${schoolId} and a.at > ${before} order by l.number limit 1) first`.execute(db.tx);
  const last = Math.min((kept.rows[0]?.number ?? 0) - 1, ends.first_number + BATCH_SIZE);
  if (last <= ends.first_number) return 0;
  const { digest } = await db.tx
    .selectFrom('audit_seals')
    .select('digest')
    .where('school_id', '=', schoolId)
    .where('number', '=', last)
    .executeTakeFirstOrThrow();
  await sql`
    delete from audit_log where school_id = ${schoolId} and id in (
      select entry_id from audit_seals where school_id = ${schoolId} and number <= ${last})`.execute(db.tx);
  await db.tx.deleteFrom('audit_seals').where('school_id', '=', schoolId).where('number', '<=', last).execute();
  await saveChain(db, config, schoolId, { ...ends, first_number: last, first_digest: digest });
  return last - ends.first_number;
}

interface SealedRow extends Omit<ChainedEntry, 'id'> {
  number: number;
  entry_id: number;
  id: number | null;
  salt: Buffer | null;
  details_digest: Buffer;
  digest: Buffer;
}

const listSeals = async (db: PlatformDb, schoolId: number, after: number): Promise<SealedRow[]> => {
  const { rows } = await sql<SealedRow>`
    select l.number, l.entry_id, l.salt, l.details_digest, l.digest, a.id, a.at, a.action, a.subject_kind, a.actor_user_id,
      a.impersonator_user_id, a.subject_id, a.details::text as details
    from audit_seals l left join audit_log a on a.school_id = l.school_id and a.id = l.entry_id
    where l.school_id = ${schoolId} and l.number > ${after} order by l.number limit ${BATCH_SIZE}`.execute(db.tx);
  return rows;
};

/** What is wrong with an entry that its number, its fields or the previous digest show; undefined if nothing is. */
function faultOf(seal: SealedRow, number: number, previous: Buffer): string | undefined {
  if (seal.number !== number) return `entry ${number} of the chain is missing`;
  if (seal.id === null) return `entry ${seal.entry_id} was deleted`;
  const entry = { ...seal, id: seal.id };
  // Without a salt the details were erased.
  const areDetailsRight = seal.salt
    ? digestDetails(seal.salt, entry).equals(seal.details_digest)
    : seal.details === '{}';
  if (!areDetailsRight || !chainDigest(previous, entry, seal.details_digest).equals(seal.digest))
    return `entry ${seal.entry_id} was changed`;
  return undefined;
}

/**
 * What shows that someone changed a school's audit log outside the portal, at most 20 texts.
 * @param config without it the signature is not checked, as after a restore with another key
 */
export async function verifySchool(db: PlatformDb, schoolId: number, now: Date, config?: KeyConfig): Promise<string[]> {
  const chain = await findChain(db, schoolId).executeTakeFirst();
  if (!chain) return [];
  const { signature, ...ends } = chain;
  const breaches: string[] = [];
  if (config && findSigningKey(config, schoolId, ends, signature) === undefined)
    breaches.push('the signature does not match, or was made with another SECRETS_KEY');
  let { first_number: number, first_digest: digest } = ends;
  for (
    let seals = await listSeals(db, schoolId, number);
    seals.length > 0;
    seals = await listSeals(db, schoolId, number)
  )
    for (const seal of seals) {
      number += 1;
      const fault = faultOf(seal, number, digest);
      if (fault) breaches.push(fault);
      if (breaches.length >= MAX_BREACHES) return breaches;
      ({ number, digest } = seal);
    }
  if (number !== ends.last_number || !digest.equals(ends.last_digest)) breaches.push('the latest entries are missing');
  const { rows } = await sql<{ id: number }>`
    select id from audit_log a where school_id = ${schoolId} and at <= ${new Date(now.getTime() - SEALING_MS)}
      and not exists (select from audit_seals l where l.school_id = a.school_id and l.entry_id = a.id)
    order by id limit ${MAX_BREACHES - breaches.length}`.execute(db.tx);
  return [...breaches, ...rows.map(({ id }) => `entry ${id} was added later`)];
}

/** Checks the audit logs of all schools. */
export async function verifyAuditLog(db: PlatformDb, now: Date, config?: KeyConfig): Promise<Finding> {
  const breaches: string[] = [];
  const schools = await db.tx.selectFrom('audit_chains').select('school_id').orderBy('school_id').execute();
  for (const { school_id: id } of schools) {
    if (breaches.length >= MAX_BREACHES) break;
    for (const breach of await verifySchool(db, id, now, config)) breaches.push(`school ${id}: ${breach}`);
  }
  return { rule: 'the audit log is as the portal wrote it', breaches: breaches.slice(0, MAX_BREACHES) };
}
