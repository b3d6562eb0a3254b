import { createHash, createHmac } from 'node:crypto';

/** An entry of the audit log, as the chain reads it. */
export interface ChainedEntry {
  id: number;
  at: Date;
  action: string;
  subject_kind: string;
  actor_user_id: number | null;
  impersonator_user_id: number | null;
  program_id: number | null;
  subject_id: string | null;
  /** The details as PostgreSQL writes them. */
  details: string;
}

/** Before the first entry. */
export const CHAIN_START = Buffer.alloc(32);

/** Stands for the details of an entry that was deleted before it was sealed. */
export const NO_DETAILS = Buffer.alloc(32);

/**
 * The digest of an entry's details, which can be about people, keyed by a salt of its own: without the salt it tells
 * nothing about them. Erasing a person deletes details and salt, and the chain still holds.
 */
export const digestDetails = (salt: Buffer, { details }: Pick<ChainedEntry, 'details'>): Buffer =>
  createHmac('sha256', salt).update(details).digest();

/** The digest of an entry and, through the previous digest, of all before it. */
export const chainDigest = (
  previous: Buffer,
  entry: Omit<ChainedEntry, 'details'>,
  detailsDigest: Buffer,
  sealedAt: Date,
): Buffer =>
  createHash('sha256')
    .update(previous)
    .update(detailsDigest)
    .update(
      JSON.stringify([
        entry.id,
        entry.at.toISOString(),
        entry.action,
        entry.subject_kind,
        entry.subject_id,
        entry.actor_user_id,
        entry.impersonator_user_id,
        sealedAt.toISOString(),
        ...(entry.program_id === null ? [] : [entry.program_id]),
      ]),
    )
    .digest();

/** The digest over a place in the chain whose entry was deleted before it was sealed. */
export const chainGap = (previous: Buffer, entryId: number, sealedAt: Date): Buffer =>
  createHash('sha256')
    .update(previous)
    .update(NO_DETAILS)
    .update(JSON.stringify([entryId, sealedAt.toISOString()]))
    .digest();

/**
 * The digest over the entries of a chain whose details were erased, in the order of their numbers, each with the digest
 * of its erasure.
 */
export function digestErased(erased: readonly { number: number; receipt: Buffer }[]): Buffer {
  const hash = createHash('sha256');
  for (const { number, receipt } of erased) hash.update(`${number}:${receipt.toString('hex')}\n`);
  return hash.digest();
}

/** What a head signs. */
export interface ChainHead {
  begun_at: Date;
  /** The number of the last entry that was deleted after its time; 0 at the start. */
  first_number: number;
  first_digest: Buffer;
  last_number: number;
  last_digest: Buffer;
  /** Entries whose details were erased, since the chain began. */
  erased: number;
  /** Over those that are still in the chain: `digestErased`. */
  erased_digest: Buffer;
}

/** The head of a chain without entries, whose numbers continue after `number`. */
export const makeHead = (begunAt: Date, number = 0, erased = 0): ChainHead => ({
  begun_at: begunAt,
  first_number: number,
  first_digest: CHAIN_START,
  last_number: number,
  last_digest: CHAIN_START,
  erased,
  erased_digest: digestErased([]),
});

/** The text that is signed, so that no part of the head can be changed without the key. */
export const headText = (schoolId: number, head: ChainHead): string =>
  JSON.stringify([
    schoolId,
    head.begun_at.toISOString(),
    head.first_number,
    head.first_digest.toString('hex'),
    head.last_number,
    head.last_digest.toString('hex'),
    head.erased,
    head.erased_digest.toString('hex'),
  ]);
