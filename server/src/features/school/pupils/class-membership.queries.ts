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

/** Adds pupils' reading to the school's totals, or subtracts it. Locks the totals in the order that the intake does. */
const changeSchoolTotals = (db: SchoolDb, pupilIds: readonly number[], sign: 1 | -1) =>
  sql`
    insert into school_reading_days as days (school_id, day, reading_level, reading_time, words_attempted, words_correct)
    select ${db.schoolId}::bigint, day, reading_level, ${sign} * sum(reading_time), ${sign} * sum(words_attempted), ${sign} * sum(words_correct)
    from reading_days where school_id = ${db.schoolId} and ${inIds('pupil_id', pupilIds)}
    group by day, reading_level order by day, reading_level
    on conflict (school_id, day, reading_level) do update set
      reading_time = days.reading_time + excluded.reading_time,
      words_attempted = days.words_attempted + excluded.words_attempted,
      words_correct = days.words_correct + excluded.words_correct
    returning day`.execute(db.tx);

/** Adds the reading of locked pupils to the school's totals. */
export async function addToSchoolTotals(db: SchoolDb, pupilIds: readonly number[]): Promise<void> {
  await changeSchoolTotals(db, pupilIds, 1);
}

/** Subtracts the reading of locked pupils from the school's totals, and deletes days and levels on which no one else read. */
export async function subtractFromSchoolTotals(db: SchoolDb, pupilIds: readonly number[]): Promise<void> {
  await changeSchoolTotals(db, pupilIds, -1);
  await sql`
    delete from school_reading_days days
    where school_id = ${db.schoolId} and reading_time = 0 and words_attempted = 0 and not exists (
      select from reading_days r join pupils p on p.school_id = ${db.schoolId} and p.id = r.pupil_id and p.archived_at is null
      where r.school_id = ${db.schoolId} and r.day = days.day and r.reading_level = days.reading_level
    )`.execute(db.tx);
}

/** Logs pupils out everywhere. */
export async function removePupilSessions(db: SchoolDb, pupilIds: readonly number[]): Promise<void> {
  await db.tx.deleteFrom('sessions').where('school_id', '=', db.schoolId).where(inIds('pupil_id', pupilIds)).execute();
}
