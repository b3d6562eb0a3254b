import { namePeople } from '../../../audit/audit-log.queries.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** A pupil's page lists this many notes at most. */
const MAX_NOTES = 200;

export interface NoteRow {
  id: number;
  text: string;
  written_by: number;
  written_at: Date;
}

/** The notes on a pupil, the latest first. */
export const listNotes = (db: SchoolDb, pupilId: number): Promise<NoteRow[]> =>
  db.tx
    .selectFrom('pupil_notes')
    .select(['id', 'text', 'written_by', 'written_at'])
    .where('school_id', '=', db.schoolId)
    .where('pupil_id', '=', pupilId)
    .orderBy('written_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_NOTES)
    .execute();

/**
 * The names of authors among the current and former staff. Someone whom the school has erased has none, also when their
 * account goes on at another school.
 */
export async function nameAuthors(db: SchoolDb, userIds: readonly number[]): Promise<Map<number, string>> {
  const members = await db.tx
    .selectFrom('staff')
    .select('user_id')
    .where('school_id', '=', db.schoolId)
    .where(inIds('user_id', [...new Set(userIds)]))
    .execute();
  return namePeople(
    db,
    members.map(({ user_id }) => user_id),
  );
}

export const insertNote = (
  db: SchoolDb,
  pupilId: number,
  text: string,
  writtenBy: number,
  now: Date,
): Promise<NoteRow> =>
  db.tx
    .insertInto('pupil_notes')
    .values({ school_id: db.schoolId, pupil_id: pupilId, text, written_by: writtenBy, written_at: now })
    .returning(['id', 'text', 'written_by', 'written_at'])
    .executeTakeFirstOrThrow();

/**
 * Deletes a note on a pupil. Returns whether it existed.
 * @param writtenBy its required author; any author when undefined
 */
export async function deleteNote(
  db: SchoolDb,
  pupilId: number,
  noteId: number,
  writtenBy: number | undefined,
): Promise<boolean> {
  const { numDeletedRows } = await db.tx
    .deleteFrom('pupil_notes')
    .where('school_id', '=', db.schoolId)
    .where('pupil_id', '=', pupilId)
    .where('id', '=', noteId)
    .$if(writtenBy !== undefined, (query) => query.where('written_by', '=', writtenBy ?? 0))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
