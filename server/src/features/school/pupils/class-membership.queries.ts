import { sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';

/**
 * Moves pupils to a class, or to none for null. Returns those moved, by ID and name.
 * @param source the class from which they move, null for none; those who are no longer in it stay where they are
 */
export async function setClassOfPupils(
  db: SchoolDb,
  classId: number | null,
  pupilIds: readonly number[],
  source?: number | null,
): Promise<{ id: number; name: string }[]> {
  if (pupilIds.length === 0) return [];
  return db.tx
    .updateTable('pupils')
    .set({ class_id: classId })
    .where('school_id', '=', db.schoolId)
    .where('archived_at', 'is', null)
    .where(inIds('id', pupilIds))
    .$if(source !== undefined, (query) => query.where('class_id', source === null ? 'is' : '=', source ?? null))
    .returning(['id', 'name'])
    .execute();
}

/** Moves each pupil to their own target class, or to none for null. */
export async function setClassOfEachPupil(
  db: SchoolDb,
  targets: readonly { id: number; class_id: number | null }[],
): Promise<void> {
  await sql`
    update pupils set class_id = g.class_id
    from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) as g (id bigint, class_id bigint)
    where pupils.school_id = ${db.schoolId} and pupils.id = g.id and archived_at is null`.execute(db.tx);
}
