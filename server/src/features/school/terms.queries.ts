import type { TermsAcceptance } from '#contract/calls/school-details.ts';
import type { PlatformDb } from '../../database/platform-db.ts';
import type { SchoolDb } from '../../database/school.ts';
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

/** The versions that the school has accepted, the latest first; `nameUsers` returns people's names. */
export const listTermsAcceptances = (db: SchoolDb) =>
  db.tx
    .selectFrom('terms_acceptances')
    .select(['document', 'version', 'user_id', 'accepted_at'])
    .where('school_id', '=', db.schoolId)
    .orderBy('accepted_at', 'desc')
    .orderBy('document')
    .execute();

/** The names of people who accepted, who may have left the school since. */
export async function nameUsers(db: PlatformDb, userIds: readonly number[]): Promise<Map<number, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.tx
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', userIds)
    .execute();
  return new Map(rows.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]));
}

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
