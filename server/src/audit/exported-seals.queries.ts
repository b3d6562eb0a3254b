import type { SchoolDb } from '../database/school.ts';
import { inIds } from '../database/in-ids.ts';
import { listSealsOf } from './audit-log.queries.ts';

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
