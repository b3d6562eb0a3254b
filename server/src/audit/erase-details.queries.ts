import { sql } from 'kysely';
import { inIds } from '../database/in-ids.ts';
import type { PlatformDb } from '../database/platform-db.ts';

/**
 * Empties the details of entries of a school's audit log. The chain still holds: without its salt it knows that the
 * details of an entry were erased. Returns the number of entries.
 */
export async function eraseDetails({ tx }: PlatformDb, schoolId: number, entryIds: readonly number[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update audit_log set details = '{}' where school_id = ${schoolId} and ${inIds('id', entryIds)}`.execute(tx);
  await sql`
    update audit_seals set salt = null where school_id = ${schoolId} and ${inIds('entry_id', entryIds)}`.execute(tx);
  return Number(numAffectedRows);
}
