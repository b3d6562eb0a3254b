import type { TermsAcceptance } from '#contract/calls/school-details.ts';
import type { SchoolDb } from '../../../database/school.ts';
import versions from '#content/legal/versions.json' with { type: 'json' };

/** Records which versions were accepted, by whom and when; earlier acceptances stay unchanged. */
export async function insertTermsAcceptances(db: SchoolDb, userId: number, now: Date): Promise<void> {
  await db.tx
    .insertInto('terms_acceptances')
    .values(
      DOCUMENTS.map((document) => ({
        school_id: db.schoolId,
        document,
        version: versions[document],
        user_id: userId,
        accepted_at: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const DOCUMENTS = ['licence', 'terms', 'privacy'] as const;

/** The versions that the school has accepted, the latest first; `namePeople` returns people's names. */
export const listTermsAcceptances = (db: SchoolDb) =>
  db.tx
    .selectFrom('terms_acceptances')
    .select(['document', 'version', 'user_id', 'accepted_at'])
    .where('school_id', '=', db.schoolId)
    .orderBy('accepted_at', 'desc')
    .orderBy('document')
    .execute();

/** A row in the format of the API. */
export const toAcceptance = (
  row: Awaited<ReturnType<typeof listTermsAcceptances>>[number],
  names: ReadonlyMap<number, string>,
): TermsAcceptance => {
  const name = names.get(row.user_id);
  return {
    document: row.document,
    version: row.version,
    accepted_at: row.accepted_at.toISOString(),
    accepted_by: name === undefined ? null : { id: row.user_id, name },
  };
};
