import type { RUN_KINDS, RUN_ORIGINS, SCHOOL_RECORDS_KINDS } from '#contract/calls/school-records.ts';
import { toRecordedYearGroup } from '#contract/year-group.ts';
import { sql } from 'kysely';
import type {
  SchoolRecordsLink,
  PupilValues,
  SchoolRecordsRowContent,
  SourceSelection,
  StagedPupil,
  StagedSchoolRecords,
} from '../../../database/column-types.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { nameKey } from '../../school/pupils/pupils.public.ts';
import type { ClassLink, PupilLink, SchoolState } from './state.service.ts';

type SourceKind = (typeof SCHOOL_RECORDS_KINDS)[number];
export type RunKind = (typeof RUN_KINDS)[number];

/** The sources with the numbers of pupils, without archived ones, and classes that each keeps up to date. */
export async function listSources(db: SchoolDb) {
  const { rows } = await sql<{
    id: number;
    kind: SourceKind;
    created_at: Date;
    school: SourceSelection | null;
    pupils: number;
    classes: number;
  }>`
    select s.id, s.kind, s.created_at, s.school,
      (select count(*) from school_records_pupils l join pupils p on p.school_id = ${db.schoolId} and p.id = l.pupil_id
        where l.school_id = ${db.schoolId} and l.source_id = s.id and p.archived_at is null) as pupils,
      (select count(*) from school_records_classes l where l.school_id = ${db.schoolId} and l.source_id = s.id) as classes
    from school_records_sources s where s.school_id = ${db.schoolId} order by s.id`.execute(db.tx);
  return rows;
}

const toHex = (digest: Buffer | null) => digest?.toString('hex') ?? null;

/** The school, with which a source's records are compared. Locks pupils and classes for `update`. */
export async function readState(
  db: SchoolDb,
  sourceId: number,
  lock: 'update' | 'none',
): Promise<Omit<SchoolState, 'staffEmails' | 'isLeavingSeason'>> {
  const pupils = db.tx
    .selectFrom('pupils')
    .select(['id', 'name', 'class_id', 'archived_at', 'year_group', 'year_group_since'])
    .where('school_id', '=', db.schoolId)
    .orderBy('id');
  const classes = db.tx.selectFrom('classes').select(['id', 'name']).where('school_id', '=', db.schoolId).orderBy('id');
  const schoolClasses = lock === 'update' ? await classes.forUpdate().execute() : await classes.execute();
  const schoolPupils = lock === 'update' ? await pupils.forUpdate().execute() : await pupils.execute();
  const links = await db.tx
    .selectFrom('school_records_pupils')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .orderBy('pupil_id')
    .execute();
  const classLinks = await db.tx
    .selectFrom('school_records_classes')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .orderBy('class_id')
    .execute();
  const toLink = (row: (typeof links)[number]): PupilLink => ({
    sourceId: row.external_id,
    pupilId: row.pupil_id,
    name: row.name,
    classId: row.class_id,
    yearGroup: row.year_group,
    upn: toHex(row.upn_digest),
    birth: toHex(row.birth_digest),
    hasLeft: row.has_left,
  });
  return {
    pupils: schoolPupils.map(({ id, name, class_id, archived_at, ...row }) => ({
      id,
      name,
      classId: class_id,
      isArchived: archived_at !== null,
      yearGroup: toRecordedYearGroup(row),
    })),
    classes: schoolClasses,
    links: links.filter(({ source_id }) => source_id === sourceId).map(toLink),
    otherLinks: links.filter(({ source_id }) => source_id !== sourceId).map(toLink),
    classLinks: classLinks
      .filter(({ source_id }) => source_id === sourceId)
      .map(({ external_id, class_id, name }): ClassLink => ({ sourceId: external_id, classId: class_id, name })),
    otherClassIds: classLinks.filter(({ source_id }) => source_id !== sourceId).map(({ class_id }) => class_id),
  };
}

/** Stores pupils' links of a source. A pupil's earlier link is replaced. */
export async function saveLinks(db: SchoolDb, sourceId: number, links: readonly PupilLink[]): Promise<void> {
  if (links.length === 0) return;
  await deleteLinks(
    db,
    sourceId,
    links.map(({ pupilId }) => pupilId),
  );
  await sql`
    insert into school_records_pupils (school_id, source_id, external_id, pupil_id, name, class_id, year_group, upn_digest, birth_digest, has_left)
    select ${db.schoolId}::bigint, ${sourceId}::bigint, "sourceId", "pupilId", name, "classId", "yearGroup",
      decode(upn, 'hex'), decode(birth, 'hex'), "hasLeft"
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
      as g ("sourceId" text, "pupilId" bigint, name text, "classId" bigint, "yearGroup" text, upn text, birth text, "hasLeft" boolean)
    returning pupil_id`.execute(db.tx);
}

/** Removes pupils' links of a source. */
export const deleteLinks = (db: SchoolDb, sourceId: number, pupilIds: readonly number[]) =>
  db.tx
    .deleteFrom('school_records_pupils')
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where(inIds('pupil_id', pupilIds))
    .execute();

/** Stores classes' links of a source. */
export async function saveClassLinks(db: SchoolDb, sourceId: number, links: readonly ClassLink[]): Promise<void> {
  if (links.length === 0) return;
  await sql`
    insert into school_records_classes (school_id, source_id, external_id, class_id, name)
    select ${db.schoolId}::bigint, ${sourceId}::bigint, "sourceId", "classId", name
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as g ("sourceId" text, "classId" bigint, name text)
    on conflict (school_id, source_id, external_id) do update set class_id = excluded.class_id, name = excluded.name
    returning class_id`.execute(db.tx);
}

/** Renames pupils. */
export async function renamePupils(db: SchoolDb, changes: readonly { pupilId: number; name: string }[]): Promise<void> {
  if (changes.length === 0) return;
  const given = changes.map(({ pupilId, name }) => ({ id: pupilId, name, name_key: nameKey(name) }));
  await sql`
    update pupils set name = g.name, name_key = g.name_key
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id bigint, name text, name_key text)
    where pupils.school_id = ${db.schoolId} and pupils.id = g.id`.execute(db.tx);
}

/**
 * Those of the classes that have no pupils, books or teachers, and to which no archived pupil would return.
 * @param except archived pupils who do not count
 */
export async function listUnusedClasses(
  db: SchoolDb,
  ids: readonly number[],
  except: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from classes c where school_id = ${db.schoolId} and ${inIds('id', ids)} and manager_id is null
      and not exists (select from pupils p
        where p.school_id = ${db.schoolId} and (p.class_id = c.id
          or p.archived_from = c.id and p.id <> all (${[...except]}::bigint[])))
      and not exists (select from class_books b where b.school_id = ${db.schoolId} and b.class_id = c.id)
      and not exists (select from class_teachers t where t.school_id = ${db.schoolId} and t.class_id = c.id)`.execute(
    db.tx,
  );
  return rows.map(({ id }) => id);
}

export async function deleteClasses(db: SchoolDb, ids: readonly number[]): Promise<void> {
  await db.tx.deleteFrom('classes').where('school_id', '=', db.schoolId).where(inIds('id', ids)).execute();
}

/** Pupils who have read since they were added. */
export async function listPupilsWhoRead(db: SchoolDb, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db.tx
    .selectFrom('pupils')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .where('last_read_at', 'is not', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

interface NewRun {
  sourceId: number;
  kind: RunKind;
  origin: (typeof RUN_ORIGINS)[number];
  by: number | null;
  planDigest: string;
  records: StagedSchoolRecords;
  pupils: readonly { pupilId: number | null; staged: StagedPupil }[];
}

/** Deletes the planned run of a nightly check, which a later one replaces. */
export const deleteNightlyPlan = (db: SchoolDb, sourceId: number) =>
  db.tx
    .deleteFrom('school_records_runs')
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where('state', '=', 'planned')
    .where('origin', '=', 'nightly')
    .execute();

/** Discards the planned run of a source, if there is one. A nightly run is deleted. */
export async function discardPlannedRun(db: SchoolDb, sourceId: number, by: number | null, now: Date): Promise<void> {
  await deleteNightlyPlan(db, sourceId);
  const run = await db.tx
    .updateTable('school_records_runs')
    .set({ state: 'discarded', closed_at: now, closed_by: by, records: null })
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where('state', '=', 'planned')
    .returning('id')
    .executeTakeFirst();
  if (run) await deleteRows(db, run.id);
}

/** Stores a planned run, which replaces one of the same source. Returns its ID. */
export async function insertRun(
  db: SchoolDb,
  { sourceId, kind, origin, by, planDigest, records, pupils }: NewRun,
  now: Date,
): Promise<number> {
  await discardPlannedRun(db, sourceId, by, now);
  const { id } = await db.tx
    .insertInto('school_records_runs')
    .values({
      school_id: db.schoolId,
      source_id: sourceId,
      kind,
      origin,
      plan_digest: planDigest,
      state: 'planned',
      created_at: now,
      created_by: by,
      records: JSON.stringify(records),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertRows(
    db,
    id,
    pupils.map(({ pupilId, staged }) => ({ pupilId, classId: null, content: { staged } })),
    now,
  );
  return id;
}

/** What a run states or changes about a pupil or a class. */
export interface NewRow {
  pupilId: number | null;
  classId: number | null;
  content: SchoolRecordsRowContent;
}

async function insertRows(db: SchoolDb, runId: number, rows: readonly NewRow[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map((row, position) => ({ ...row, position }));
  await sql`
    insert into school_records_rows (school_id, run_id, position, pupil_id, class_id, content, created_at)
    select ${db.schoolId}::bigint, ${runId}::bigint, position, "pupilId", "classId", content, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as g (position integer, "pupilId" bigint, "classId" bigint, content jsonb)
    returning position`.execute(db.tx);
}

const deleteRows = (db: SchoolDb, runId: number) =>
  db.tx.deleteFrom('school_records_rows').where('school_id', '=', db.schoolId).where('run_id', '=', runId).execute();

export type RunRow = NonNullable<Awaited<ReturnType<typeof findRun>>>;

export const findRun = (db: SchoolDb, runId: number) =>
  db.tx
    .selectFrom('school_records_runs')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .where('id', '=', runId)
    .executeTakeFirst();

/** A page of the runs, the latest first, and their number. */
export async function listRuns(
  db: SchoolDb,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ runs: RunRow[]; total: number }> {
  const runs = await db.tx
    .selectFrom('school_records_runs')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const { total } = await db.tx
    .selectFrom('school_records_runs')
    .select(sql<number>`count(*)`.as('total'))
    .where('school_id', '=', db.schoolId)
    .executeTakeFirstOrThrow();
  return { runs, total };
}

/** The rows of a run in their order. */
export const listRows = (db: SchoolDb, runId: number) =>
  db.tx
    .selectFrom('school_records_rows')
    .select(['pupil_id', 'class_id', 'content'])
    .where('school_id', '=', db.schoolId)
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute();

interface ClosedRun {
  state: 'applied' | 'discarded';
  /** Null for a nightly check. */
  by: number | null;
  /** Of what an applied run has left to plan; undefined keeps the digest of the plan. */
  planDigest?: string;
  counts: Record<string, number> | null;
  changes: readonly NewRow[];
}

/** Records that a run was applied or discarded, and what it changed instead of the pupils in the file. */
export async function closeRun(
  db: SchoolDb,
  runId: number,
  { state, by, planDigest, counts, changes }: ClosedRun,
  now: Date,
): Promise<void> {
  await db.tx
    .updateTable('school_records_runs')
    .set({
      state,
      closed_at: now,
      closed_by: by,
      records: null,
      counts: counts && JSON.stringify(counts),
      ...(planDigest !== undefined && { plan_digest: planDigest }),
    })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', runId)
    .execute();
  await deleteRows(db, runId);
  await insertRows(db, runId, changes, now);
}

/** The link of a pupil as it is stored to undo a run, without digests. */
export const toStoredLink = ({ sourceId, name, classId, yearGroup, hasLeft }: PupilLink): SchoolRecordsLink => ({
  sourceId,
  name,
  classId,
  yearGroup,
  hasLeft,
});

/** Returns whether a pupil is as a run left them. */
export const isUnchanged = (now: Omit<PupilValues, 'link' | 'yearGroup'>, after: PupilValues): boolean =>
  now.name === after.name && now.isArchived === after.isArchived && (now.isArchived || now.classId === after.classId);

export async function markUndone(db: SchoolDb, runId: number): Promise<void> {
  await db.tx
    .updateTable('school_records_runs')
    .set({ state: 'undone', plan_digest: null })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', runId)
    .execute();
  await deleteRows(db, runId);
}
