import type { RUN_ORIGINS } from '#contract/calls/runs.ts';
import type { SCHOOL_RECORDS_FILE_KINDS, SCHOOL_RECORDS_KINDS } from '#contract/calls/school-records.ts';
import { sql } from 'kysely';
import type { RunCounts, SourceSelection, StagedPupil, StagedSchoolRecords } from '../../../database/column-types.ts';
import type { SchoolDb } from '../../../database/school.ts';
import {
  deleteRows,
  insertRows,
  listClassLinks,
  listLinks,
  type NewRow,
  readClasses,
  readPupils,
  RUN_MS,
} from '../runs/runs.public.ts';
import type { SchoolState } from './state.service.ts';

type SourceKind = (typeof SCHOOL_RECORDS_KINDS)[number];
export type RunKind = (typeof SCHOOL_RECORDS_FILE_KINDS)[number];

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

/** The school, with which a source's records are compared. Locks pupils and classes for `update`. */
export async function readState(
  db: SchoolDb,
  sourceId: number,
  lock: 'update' | 'none',
): Promise<Omit<SchoolState, 'staff' | 'staffEmails' | 'isLeavingSeason'>> {
  const classes = await readClasses(db, lock);
  const pupils = await readPupils(db, lock);
  return { pupils, classes, ...(await listLinks(db, sourceId)), ...(await listClassLinks(db, sourceId)) };
}

interface PlannedRun {
  sourceId: number;
  kind: RunKind;
  origin: (typeof RUN_ORIGINS)[number];
  by: number | null;
  planDigest: string;
  records: StagedSchoolRecords;
  pupils: readonly { pupilId: number | null; staged: StagedPupil }[];
}

const oneRosterRuns = (db: SchoolDb) =>
  db.tx.selectFrom('runs').where('school_id', '=', db.schoolId).where('kind', '=', 'oneroster');

/** The planned run of OneRoster that an admin can apply. */
export const findPlannedRun = (db: SchoolDb, now: Date) =>
  oneRosterRuns(db)
    .select('id')
    .where('state', '=', 'planned')
    .where('created_at', '>', new Date(now.getTime() - RUN_MS))
    .orderBy('id', 'desc')
    .executeTakeFirst();

/** The first run of OneRoster that was applied at this time or later, and not undone. */
export const findRunAppliedSince = (db: SchoolDb, time: Date) =>
  oneRosterRuns(db)
    .select(['id', 'counts'])
    .where('state', '=', 'applied')
    .where('closed_at', '>=', time)
    .orderBy('closed_at')
    .orderBy('id')
    .executeTakeFirst();

/** Deletes the planned run of a nightly check, which a later one replaces. */
export const deleteNightlyPlan = (db: SchoolDb, sourceId: number) =>
  db.tx
    .deleteFrom('runs')
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where('state', '=', 'planned')
    .where('origin', '=', 'nightly')
    .execute();

/** Discards the planned run of a source, if there is one. A nightly run is deleted. */
export async function discardPlannedRun(db: SchoolDb, sourceId: number, by: number | null, now: Date): Promise<void> {
  await deleteNightlyPlan(db, sourceId);
  const run = await db.tx
    .updateTable('runs')
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
  { sourceId, kind, origin, by, planDigest, records, pupils }: PlannedRun,
  now: Date,
): Promise<number> {
  await discardPlannedRun(db, sourceId, by, now);
  const { id } = await db.tx
    .insertInto('runs')
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

interface ClosedRun {
  state: 'applied' | 'discarded';
  /** Null for a nightly check. */
  by: number | null;
  /** Of what an applied run has left to plan; undefined keeps the digest of the plan. */
  planDigest?: string;
  counts: RunCounts | null;
  rows: readonly NewRow[];
}

/** Records that a run was applied or discarded, and what it changed instead of the pupils in the file. */
export async function closeRun(
  db: SchoolDb,
  runId: number,
  { state, by, planDigest, counts, rows }: ClosedRun,
  now: Date,
): Promise<void> {
  await db.tx
    .updateTable('runs')
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
  await insertRows(db, runId, rows, now);
}
