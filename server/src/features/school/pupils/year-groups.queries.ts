import { type RecordedYearGroup, statedSince, toRecordedYearGroup, type YearGroup } from '#contract/year-group.ts';
import { sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** The current year group of a pupil, as a list or a member of staff states it. */
export interface StatedYearGroup {
  pupilId: number;
  yearGroup: YearGroup | null;
}

/**
 * Records the year groups that were stated on a day (YYYY-MM-DD); null removes one. After a year end they count for the
 * year to which it led.
 */
export async function updateYearGroups(db: SchoolDb, stated: readonly StatedYearGroup[], day: string): Promise<void> {
  if (stated.length === 0) return;
  await sql`
    update pupils set year_group = g."yearGroup",
      year_group_since = case when g."yearGroup" is not null then greatest(year_group_since, ${statedSince(day)}::date) end
    from jsonb_to_recordset(${JSON.stringify(stated)}::jsonb) as g ("pupilId" bigint, "yearGroup" text)
    where pupils.school_id = ${db.schoolId} and pupils.id = g."pupilId"`.execute(db.tx);
}

/** Locks pupils until the transaction ends, in the order of IDs, so that two changes cannot deadlock. */
export async function lockPupils(db: SchoolDb, pupilIds: readonly number[]): Promise<void> {
  await db.tx
    .selectFrom('pupils')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', pupilIds))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Changes the recorded year groups of the pupils of some classes. */
export async function changeYearGroupsOfClasses(
  db: SchoolDb,
  classIds: readonly number[],
  change: (recorded: RecordedYearGroup) => RecordedYearGroup,
): Promise<void> {
  const rows = await db.tx
    .selectFrom('pupils')
    .select(['id', 'year_group', 'year_group_since'])
    .where('school_id', '=', db.schoolId)
    .where(inIds('class_id', classIds))
    .where('year_group', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  await saveYearGroups(
    db,
    rows.map((row) => {
      const recorded = toRecordedYearGroup(row);
      return { pupilId: row.id, yearGroup: recorded && change(recorded) };
    }),
  );
}

/** Stores year groups with their dates; null removes one. */
export async function saveYearGroups(
  db: SchoolDb,
  changes: readonly { pupilId: number; yearGroup: RecordedYearGroup | null }[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ pupilId, yearGroup }) => ({ id: pupilId, ...yearGroup }));
  await sql`
    update pupils set year_group = g.code, year_group_since = g.since
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (id bigint, code text, since date)
    where pupils.school_id = ${db.schoolId} and pupils.id = g.id`.execute(db.tx);
}
