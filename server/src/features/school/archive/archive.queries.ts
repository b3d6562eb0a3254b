import type { ArchivedPupil } from '#contract/calls/archive.ts';
import { ARCHIVE_DAYS } from '#contract/limits.ts';
import { sql } from 'kysely';
import { DAY_MS } from '../../../clock.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { addToDeletedClasses } from '../classes/classes.public.ts';
import { removePupilSessions } from '../pupils/pupils.public.ts';

/**
 * Archives pupils: they leave the school's lists, classes and totals, and their sessions end. Their reading is kept.
 * Skips pupils who are archived or erased already. Returns the IDs of the pupils archived.
 */
export async function setArchived(
  db: SchoolDb,
  pupilIds: readonly number[],
  by: number | null,
  now: Date,
): Promise<number[]> {
  // Locked in the order of IDs, like every lock on several pupils. The lock also excludes incoming reading sessions.
  const present = await db.tx
    .selectFrom('pupils')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', pupilIds))
    .where('archived_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  const ids = present.map(({ id }) => id);
  if (ids.length === 0) return [];
  await db.tx
    .updateTable('pupils')
    .set(({ ref }) => ({
      archived_at: now,
      archived_by: by,
      archived_from: ref('class_id'),
      class_id: null,
      // A UPN may be kept while the pupil is at the school only.
      upn_digest: null,
      birth_digest: null,
    }))
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .execute();
  await db.tx
    .updateTable('school_records_pupils')
    .set({ upn_digest: null, birth_digest: null })
    .where('school_id', '=', db.schoolId)
    .where(inIds('pupil_id', ids))
    .execute();
  await subtractFromSchoolTotals(db, ids);
  await removePupilSessions(db, ids);
  return ids;
}

/**
 * Restores archived pupils, each to their former class if it still exists. If it was deleted, they return to it when it is
 * restored. Skips pupils who are not in the archive. Returns the IDs of the pupils restored.
 */
export async function setRestored(db: SchoolDb, pupilIds: readonly number[]): Promise<number[]> {
  const archived = await db.tx
    .selectFrom('pupils')
    .select(['id', 'archived_from'])
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', pupilIds))
    .where('archived_at', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  const ids = archived.map(({ id }) => id);
  if (ids.length === 0) return [];
  await addToDeletedClasses(db, archived);
  await sql`
    update pupils set archived_at = null, archived_by = null, archived_from = null,
      class_id = (select id from classes where school_id = ${db.schoolId} and id = pupils.archived_from)
    where school_id = ${db.schoolId} and ${inIds('id', ids)}`.execute(db.tx);
  await changeSchoolTotals(db, ids, 1);
  return ids;
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

/** Subtracts the reading of locked pupils from the school's totals, and deletes days and levels on which no one else read. */
async function subtractFromSchoolTotals(db: SchoolDb, pupilIds: readonly number[]): Promise<void> {
  await changeSchoolTotals(db, pupilIds, -1);
  await sql`
    delete from school_reading_days days
    where school_id = ${db.schoolId} and reading_time = 0 and words_attempted = 0 and not exists (
      select from reading_days r join pupils p on p.school_id = ${db.schoolId} and p.id = r.pupil_id and p.archived_at is null
      where r.school_id = ${db.schoolId} and r.day = days.day and r.reading_level = days.reading_level
    )`.execute(db.tx);
}

/** An archived pupil with the ID of the user who archived them. */
type ArchivedRow = Omit<ArchivedPupil, 'archived_by'> & { archived_by: number | null };

/** Days for which the school keeps pupils in the archive. */
async function getArchiveDays(db: SchoolDb): Promise<number> {
  const period = await db.tx
    .selectFrom('retention_periods')
    .select('days')
    .where('school_id', '=', db.schoolId)
    .where('table_name', '=', 'pupils')
    .executeTakeFirst();
  return period?.days ?? ARCHIVE_DAYS;
}

/** All archived pupils, the most recently archived first. The school chooses for how many days they can be restored. */
export async function listArchived(db: SchoolDb): Promise<ArchivedRow[]> {
  const days = await getArchiveDays(db);
  const rows = await db.tx
    .selectFrom('pupils as p')
    .leftJoin('classes as c', (join) => join.on('c.school_id', '=', db.schoolId).onRef('c.id', '=', 'p.archived_from'))
    .select([
      'p.id',
      'p.name',
      'p.username',
      'p.archived_at',
      'p.archived_by',
      'c.id as class_id',
      'c.name as class_name',
    ])
    .where('p.school_id', '=', db.schoolId)
    .where('p.archived_at', 'is not', null)
    .orderBy('p.archived_at', 'desc')
    .orderBy('p.name_key')
    .orderBy('p.id')
    .execute();
  return rows.map(({ id, name, username, archived_at, archived_by, class_id, class_name }) => {
    const at = archived_at as Date;
    return {
      id,
      name,
      username,
      group: class_id === null || class_name === null ? null : { id: class_id, name: class_name },
      archived_at: at.toISOString(),
      archived_by,
      erased_at: new Date(at.getTime() + days * DAY_MS).toISOString(),
    };
  });
}
