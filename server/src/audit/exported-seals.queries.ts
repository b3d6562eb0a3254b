import { sql } from 'kysely';
import { withPlatform } from '../database/platform.ts';
import type { SchoolDb } from '../database/school.ts';
import { inIds } from '../database/in-ids.ts';

/** What a line of the exported log has to verify its entry: docs/security.md, "Verify an exported audit log". */
export interface ExportedSeal {
  /** The place of the entry in the chain, without gaps. */
  number: number;
  /** Digests and the salt are hexadecimal. */
  previous_digest: string | null;
  digest: string;
  details_digest: string;
  /** Null when the details were erased. */
  details_salt: string | null;
  /** The details as they are stored, character by character. */
  details_text: string;
  actor_user_id: number | null;
  impersonator_user_id: number | null;
  program_id: number | null;
  sealed_at: string;
}

/** The digests of entries' seals, which a school's own transactions cannot read. The number before gives the previous one. */
interface SealRow {
  number: number;
  entry_id: number;
  salt: Buffer | null;
  details_digest: Buffer;
  digest: Buffer;
  previous_digest: Buffer | null;
  sealed_at: Date;
}

/** The seals of entries of the school. */
const listSealsOf = (db: SchoolDb, entryIds: readonly number[]): Promise<SealRow[]> =>
  withPlatform(db, async ({ tx }) => {
    const { rows } = await sql<SealRow>`
      select l.number, l.entry_id, l.salt, l.details_digest, l.digest, l.sealed_at,
        coalesce(p.digest, c.first_digest) as previous_digest
      from audit_seals l
      join audit_chains c on c.school_id = l.school_id
      left join audit_seals p on p.school_id = l.school_id and p.number = l.number - 1
      where l.school_id = ${db.schoolId} and ${inIds('l.entry_id', entryIds)}`.execute(tx);
    return rows;
  });

/** The seals of entries of the school, by the ID of the entry. Entries of the last minutes have none. */
export async function listExportedSeals(
  db: SchoolDb,
  entryIds: readonly number[],
): Promise<ReadonlyMap<number, ExportedSeal>> {
  if (entryIds.length === 0) return new Map();
  const entries = await db.tx
    .selectFrom('audit_log')
    .select(['id', 'actor_user_id', 'impersonator_user_id', 'program_id'])
    .select(({ cast }) => cast<string>('details', 'text').as('details_text'))
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', entryIds))
    .execute();
  const authors = new Map(entries.map(({ id, ...entry }) => [id, entry]));
  const seals = await listSealsOf(db, entryIds);
  return new Map(
    seals.flatMap(({ entry_id: id, ...seal }) => {
      const entry = authors.get(id);
      if (!entry) return [];
      return [
        [
          id,
          {
            number: seal.number,
            previous_digest: seal.previous_digest?.toString('hex') ?? null,
            digest: seal.digest.toString('hex'),
            details_digest: seal.details_digest.toString('hex'),
            details_salt: seal.salt?.toString('hex') ?? null,
            ...entry,
            sealed_at: seal.sealed_at.toISOString(),
          },
        ] as const,
      ];
    }),
  );
}
