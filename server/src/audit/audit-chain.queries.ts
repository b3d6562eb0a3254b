import { sql } from 'kysely';
import { iteratePages } from '../database/batches.ts';
import type { Finding } from '../database/invariants.queries.ts';
import type { KeyConfig } from '../auth/secrets-key.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { type Anchor, anchorOf, type Anchors } from './audit-anchors.service.ts';
import {
  chainDigest,
  type ChainedEntry,
  chainGap,
  type ChainHead,
  digestDetails,
  digestErased,
  NO_DETAILS,
} from './audit-chain.ts';
import { type ErasedSeal, findHead, isSigned } from './audit-head.queries.ts';
import { CHAIN_BATCH_SIZE, findDigest, listSchools, listUnsealedIds } from './seal-audit.queries.ts';

/** A longer list would not be read. */
const MAX_LINES = 20;
/** Entries are sealed every five minutes; one that took longer than this is listed. */
const LATE_MS = 3_600_000;
/** In its first day a chain takes in the log from before its beginning. */
const FIRST_DAY_MS = 86_400_000;

/** The result of verifying chains: what only someone outside the portal can have done, and what is worth knowing. */
interface Verification {
  /** At most 20. */
  breaches: string[];
  notices: string[];
}

interface SealedRow extends Omit<ChainedEntry, 'id'>, Omit<ErasedSeal, 'receipt'> {
  entry_id: number;
  id: number | null;
  salt: Buffer | null;
  details_digest: Buffer;
  digest: Buffer;
  sealed_at: Date;
  receipt: Buffer | null;
}

const listSeals = async (db: PlatformDb, schoolId: number, after: number): Promise<SealedRow[]> => {
  const { rows } = await sql<SealedRow>`
    select l.number, l.entry_id, l.salt, l.details_digest, l.digest, l.sealed_at, l.receipt, a.id, a.at, a.action,
      a.subject_kind, a.actor_user_id, a.impersonator_user_id, a.program_id, a.subject_id, a.details::text as details
    from audit_seals l left join audit_log a on a.school_id = l.school_id and a.id = l.entry_id
    where l.school_id = ${schoolId} and l.number > ${after} order by l.number limit ${CHAIN_BATCH_SIZE}`.execute(db.tx);
  return rows;
};

/** What is wrong with an entry that its number, its fields or the previous digest show; undefined if nothing is. */
function faultOf(seal: SealedRow, number: number, previous: Buffer): string | undefined {
  if (seal.number !== number) return `entry ${number} of the chain is missing`;
  if (seal.id === null) {
    const isGap = seal.details_digest.equals(NO_DETAILS);
    const isOwnDigest = isGap && chainGap(previous, seal.entry_id, seal.sealed_at).equals(seal.digest);
    return `entry ${seal.entry_id} was deleted${isOwnDigest ? ' before it was sealed' : ''}`;
  }
  const entry = { ...seal, id: seal.id };
  // Without a salt the details were erased.
  const areDetailsRight = seal.salt
    ? digestDetails(seal.salt, entry).equals(seal.details_digest)
    : seal.receipt !== null && seal.details === '{}';
  if (!areDetailsRight || !chainDigest(previous, entry, seal.details_digest, seal.sealed_at).equals(seal.digest))
    return `entry ${seal.entry_id} was changed`;
  return undefined;
}

/** Returns whether the time of an entry is far from the time at which it was sealed. */
function isLate({ at, sealed_at: sealedAt }: SealedRow, { begun_at: begunAt }: ChainHead): boolean {
  const isFromBefore = at <= begunAt && sealedAt.getTime() - begunAt.getTime() <= FIRST_DAY_MS;
  return !isFromBefore && Math.abs(sealedAt.getTime() - at.getTime()) > LATE_MS;
}

/** Collects what verification finds, up to a limit. */
class Findings implements Verification {
  readonly breaches: string[] = [];
  readonly notices: string[] = [];
  readonly #late: number[] = [];
  readonly #erased: ErasedSeal[] = [];

  addSeal(seal: SealedRow, fault: string | undefined, head: ChainHead): void {
    if (fault) this.breaches.push(fault);
    if (seal.salt === null && seal.receipt) this.#erased.push({ number: seal.number, receipt: seal.receipt });
    if (seal.id !== null && isLate(seal, head)) this.#late.push(seal.id);
  }

  complete(head: ChainHead, unsealed: readonly number[]): this {
    if (!digestErased(this.#erased).equals(head.erased_digest))
      this.breaches.push('details were erased, or erased details came back, without the portal');
    if (this.#late.length > 0)
      this.notices.push(`sealed more than an hour after their time, or before it: ${listIds(this.#late)}`);
    if (unsealed.length > 0) this.notices.push(`still not sealed after an hour: ${listIds(unsealed)}`);
    return this;
  }
}

function listIds(ids: readonly number[]): string {
  const more = ids.length > MAX_LINES ? ` and ${ids.length - MAX_LINES} more` : '';
  return `${ids.length === 1 ? 'entry' : 'entries'} ${ids.slice(0, MAX_LINES).join(', ')}${more}`;
}

/**
 * What shows that someone changed a school's audit log outside the portal.
 * @param config without it the signature is not checked, as after a restore with another key
 * @param anchors the heads of earlier nights, to compare
 */
export async function verifySchool(
  db: PlatformDb,
  schoolId: number,
  now: Date,
  config?: KeyConfig,
  anchors?: Anchors,
): Promise<Verification> {
  const findings = new Findings();
  const { breaches } = findings;
  const head = await findHead(db, schoolId);
  if (!head) {
    breaches.push('the chain is missing');
    return findings;
  }
  if (config && !isSigned(config, schoolId, head))
    breaches.push('the signature does not match, or was made with another SECRETS_KEY');
  breaches.push(...(await compareAnchor(db, schoolId, head, anchors)));
  let { first_number: number, first_digest: digest } = head;
  for (
    let seals = await listSeals(db, schoolId, number);
    seals.length > 0;
    seals = await listSeals(db, schoolId, number)
  )
    for (const seal of seals) {
      number += 1;
      findings.addSeal(seal, faultOf(seal, number, digest), head);
      if (breaches.length >= MAX_LINES) return findings;
      ({ number, digest } = seal);
    }
  if (number !== head.last_number || !digest.equals(head.last_digest)) breaches.push('the latest entries are missing');
  return findings.complete(head, await listUnsealedIds(db, schoolId, MAX_LINES, new Date(now.getTime() - LATE_MS)));
}

/** What shows that a chain is not the one whose head was written beside the backups. */
export async function compareAnchor(
  db: PlatformDb,
  schoolId: number,
  head: ChainHead,
  anchors?: Anchors,
): Promise<string[]> {
  const anchor = anchors?.heads.get(schoolId);
  if (!anchor) return [];
  const day = anchor.at.slice(0, 10);
  if (anchor.number > head.last_number)
    return [`entries are missing: the chain has ${head.last_number}, and had ${anchor.number} on ${day}`];
  if (anchor.erased > head.erased) return [`erased details came back since ${day}`];
  if (anchor.number < head.first_number) return [];
  const digest =
    anchor.number === head.first_number ? head.first_digest : await findDigest(db, schoolId, anchor.number);
  return digest?.toString('hex') === anchor.digest ? [] : [`the chain up to ${day} was replaced`];
}

/** Schools of one statement. */
const PAGE_SIZE = 500;

/** The IDs of all schools, read a page at a time. */
const iterateSchools = (db: PlatformDb): AsyncGenerator<number> =>
  iteratePages((after) => listSchools(db, after ?? 0, PAGE_SIZE));

/**
 * After a restore: lines for the file of heads that say from which entry each chain goes on, where it does not match the
 * latest head in the file.
 */
export async function listRestarts(db: PlatformDb, anchors: Anchors, now: Date): Promise<Anchor[]> {
  const restarts: Anchor[] = [];
  for await (const id of iterateSchools(db)) {
    const head = await findHead(db, id);
    if (head && (await compareAnchor(db, id, head, anchors)).length > 0)
      restarts.push(anchorOf('restart', id, head, now));
  }
  return restarts;
}

/** Checks the audit logs of all schools, and at most 20 breaches of them. */
export async function verifyAuditLog(
  db: PlatformDb,
  now: Date,
  config?: KeyConfig,
  anchors?: Anchors,
): Promise<Finding & Verification> {
  const breaches = [...(anchors?.breaches ?? [])];
  const notices = [...(anchors?.notices ?? [])];
  const missing = new Set(anchors?.heads.keys());
  for await (const id of iterateSchools(db)) {
    missing.delete(id);
    if (breaches.length >= MAX_LINES) continue;
    const verified = await verifySchool(db, id, now, config, anchors);
    breaches.push(...verified.breaches.map((breach) => `school ${id}: ${breach}`));
    notices.push(...verified.notices.map((notice) => `school ${id}: ${notice}`));
  }
  breaches.push(...[...missing].map((id) => `school ${id} is missing with its log`));
  return {
    rule: 'the audit log is as the portal wrote it',
    breaches: breaches.slice(0, MAX_LINES),
    notices: notices.slice(0, MAX_LINES),
  };
}
