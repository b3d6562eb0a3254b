import type { SourceSelection } from '../../../database/column-types.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { RunKind } from './school-records.queries.ts';

/** The source of files of this kind, created at its first file. */
export async function ensureSource(db: SchoolDb, runKind: RunKind, now: Date): Promise<number> {
  const kind = runKind === 'atf' ? 'ctf' : runKind;
  const { id } = await db.tx
    .insertInto('school_records_sources')
    .values({ school_id: db.schoolId, kind, created_at: now })
    .onConflict((conflict) => conflict.columns(['school_id', 'kind']).doUpdateSet({ kind }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The ID of the school that was chosen last from a OneRoster file with pupils of several; null without a choice. */
export async function findChosenSchool(db: SchoolDb): Promise<string | null> {
  const row = await db.tx
    .selectFrom('school_records_sources')
    .select('school')
    .where('school_id', '=', db.schoolId)
    .where('kind', '=', 'oneroster')
    .executeTakeFirst();
  return row?.school?.source_id ?? null;
}

export async function saveChosenSchool(db: SchoolDb, school: SourceSelection): Promise<void> {
  await db.tx
    .updateTable('school_records_sources')
    .set({ school: JSON.stringify(school) })
    .where('school_id', '=', db.schoolId)
    .where('kind', '=', 'oneroster')
    .execute();
}

/** Deletes a source with its links. False if there is none. */
export async function deleteSource(db: SchoolDb, sourceId: number): Promise<boolean> {
  const row = await db.tx
    .deleteFrom('school_records_sources')
    .where('school_id', '=', db.schoolId)
    .where('id', '=', sourceId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
