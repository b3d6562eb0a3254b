import { sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** Moves pupils to a class, or to none for null, from any class. Returns their names. */
export async function setClassOfPupils(
  db: SchoolDb,
  classId: number | null,
  pupilIds: readonly number[],
): Promise<{ id: number; name: string }[]> {
  if (pupilIds.length === 0) return [];
  return db.tx
    .updateTable('pupils')
    .set({ class_id: classId })
    .where('school_id', '=', db.schoolId)
    .where('archived_at', 'is', null)
    .where(inIds('id', pupilIds))
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

/** Moves the pupils who are still in `source` (null for no class) to `target`. Returns those moved. */
export function changeClassFrom(
  db: SchoolDb,
  pupilIds: readonly number[],
  source: number | null,
  target: number | null,
): Promise<{ id: number; name: string }[]> {
  return db.tx
    .updateTable('pupils')
    .set({ class_id: target })
    .where('school_id', '=', db.schoolId)
    .where('archived_at', 'is', null)
    .where(inIds('id', pupilIds))
    .where('class_id', source === null ? 'is' : '=', source)
    .returning(['id', 'name'])
    .execute();
}
