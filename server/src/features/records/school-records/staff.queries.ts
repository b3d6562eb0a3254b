import { sql } from 'kysely';
import type { SchoolDb } from '../../../database/school.ts';
import { inIds } from '../../../database/in-ids.ts';

/** The current staff whom the source named since they joined, without those who stay although it no longer does. */
export async function listExpectedStaff(db: SchoolDb, sourceId: number): Promise<Set<number>> {
  const { rows } = await sql<{ user_id: number }>`
    select l.user_id from school_records_staff l
    join staff s on s.school_id = ${db.schoolId} and s.user_id = l.user_id
    where l.school_id = ${db.schoolId} and l.source_id = ${sourceId} and l.kept_at is null
      and s.until is null and l.seen_at >= s.joined_at`.execute(db.tx);
  return new Set(rows.map(({ user_id }) => user_id));
}

/** Stores that the source names these staff. A decision to keep one ends. */
export async function saveNamedStaff(
  db: SchoolDb,
  sourceId: number,
  userIds: readonly number[],
  now: Date,
): Promise<void> {
  if (userIds.length === 0) return;
  const rows = userIds.map((user_id) => ({ school_id: db.schoolId, source_id: sourceId, user_id, seen_at: now }));
  await db.tx
    .insertInto('school_records_staff')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['school_id', 'source_id', 'user_id']).doUpdateSet({ seen_at: now, kept_at: null }),
    )
    .execute();
}

/** Stores that these staff stay although the source no longer names them. */
export const keepStaff = (db: SchoolDb, sourceId: number, userIds: readonly number[], now: Date) =>
  db.tx
    .updateTable('school_records_staff')
    .set({ kept_at: now })
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where(inIds('user_id', userIds))
    .execute();
