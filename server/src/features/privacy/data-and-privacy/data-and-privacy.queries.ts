import type { SchoolDb } from '../../../database/school.ts';

/** Sets whether imports keep digests of dates of birth and UPNs. Turning it off deletes those kept. */
export async function setImportDigests(db: SchoolDb, keep: boolean): Promise<void> {
  await db.tx.updateTable('schools').set({ keeps_import_digests: keep }).where('id', '=', db.schoolId).execute();
  if (keep) return;
  await db.tx
    .updateTable('pupils')
    .set({ upn_digest: null, birth_digest: null })
    .where('school_id', '=', db.schoolId)
    .where((row) => row.or([row('upn_digest', 'is not', null), row('birth_digest', 'is not', null)]))
    .execute();
}
