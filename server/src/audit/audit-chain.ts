import { createHash, createHmac } from 'node:crypto';

/** An entry of the audit log, as the chain reads it. */
export interface ChainedEntry {
  id: number;
  at: Date;
  action: string;
  subject_kind: string;
  actor_user_id: number | null;
  impersonator_user_id: number | null;
  subject_id: string | null;
  /** The details as PostgreSQL writes them. */
  details: string;
}

/** Before the first entry. */
export const CHAIN_START = Buffer.alloc(32);

/**
 * The digest of an entry's details, which can be about people, keyed by a salt of its own: without the salt it tells
 * nothing about them. Erasing a person deletes details and salt, and the chain still holds.
 */
export const digestDetails = (salt: Buffer, { details }: ChainedEntry): Buffer =>
  createHmac('sha256', salt).update(details).digest();

/** The digest of an entry and, through the previous digest, of all before it. */
export const chainDigest = (previous: Buffer, entry: ChainedEntry, detailsDigest: Buffer): Buffer =>
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
      ]),
    )
    .digest();

/** The ends of a school's chain: the last entry that was pruned, and the latest. */
export interface ChainEnds {
  first_number: number;
  first_digest: Buffer;
  last_number: number;
  last_digest: Buffer;
}

/** The text that is signed, so that neither end can be moved without the key. */
export const chainText = (schoolId: number, ends: ChainEnds): string =>
  JSON.stringify([
    schoolId,
    ends.first_number,
    ends.first_digest.toString('hex'),
    ends.last_number,
    ends.last_digest.toString('hex'),
  ]);
