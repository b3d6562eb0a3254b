import type { RUN_KINDS } from '#contract/calls/runs.ts';
import { sql } from 'kysely';
import { DAY_MS } from '../../../clock.ts';
import type { StaffMember } from '../../../context.ts';
import type { RunCounts, RunRowContent } from '../../../database/column-types.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { canSeeRun } from '../../school/pupils/pupils.public.ts';

/** A planned run can be applied, and an applied one undone, for this long. */
export const RUN_MS = 30 * DAY_MS;

/** What a run states or changes about a pupil or a class. */
export interface NewRow {
  pupilId: number | null;
  classId: number | null;
  content: RunRowContent;
}

export async function insertRows(db: SchoolDb, runId: number, rows: readonly NewRow[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map((row, position) => ({ ...row, position }));
  await sql`
    insert into run_rows (school_id, run_id, position, pupil_id, class_id, content, created_at)
    select ${db.schoolId}::bigint, ${runId}::bigint, position, "pupilId", "classId", content, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as g (position integer, "pupilId" bigint, "classId" bigint, content jsonb)
    returning position`.execute(db.tx);
}

export const deleteRows = (db: SchoolDb, runId: number) =>
  db.tx.deleteFrom('run_rows').where('school_id', '=', db.schoolId).where('run_id', '=', runId).execute();

/** The rows of a run in their order. */
export const listRows = (db: SchoolDb, runId: number) =>
  db.tx
    .selectFrom('run_rows')
    .select(['pupil_id', 'class_id', 'content'])
    .where('school_id', '=', db.schoolId)
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute();

/** The pupils and classes that an applied run changed. */
export async function listChanges(db: SchoolDb, runId: number) {
  const rows = await listRows(db, runId);
  return {
    changedPupils: rows.flatMap(({ pupil_id: id, content }) =>
      id !== null && 'pupil' in content ? [{ id, ...content.pupil }] : [],
    ),
    changedClasses: rows.flatMap(({ class_id: id, content }) =>
      id !== null && 'class' in content ? [{ id, ...content.class }] : [],
    ),
  };
}

/** A list of pupils or a year end that has been applied. */
export interface AppliedRun {
  kind: 'list' | 'year_end';
  by: number;
  title?: string | undefined;
}

/** Stores a run that has been applied, with what it changed. Returns its ID. */
export async function insertAppliedRun(
  db: SchoolDb,
  { kind, by, title }: AppliedRun,
  { rows, counts }: { rows: readonly NewRow[]; counts: RunCounts },
  now: Date,
): Promise<number> {
  const { id } = await db.tx
    .insertInto('runs')
    .values({
      school_id: db.schoolId,
      kind,
      title: title || null,
      state: 'applied',
      created_at: now,
      created_by: by,
      closed_at: now,
      closed_by: by,
      counts: JSON.stringify(counts),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertRows(db, id, rows, now);
  return id;
}

const allRuns = (db: SchoolDb) => db.tx.selectFrom('runs').where('school_id', '=', db.schoolId);

export type RunRow = NonNullable<Awaited<ReturnType<typeof findRun>>>;

export const findRun = (db: SchoolDb, runId: number) =>
  allRuns(db).selectAll().where('id', '=', runId).executeTakeFirst();

const visibleRuns = (db: SchoolDb, me: StaffMember) => allRuns(db).where(canSeeRun(me));

export const findVisibleRun = (db: SchoolDb, me: StaffMember, runId: number) =>
  visibleRuns(db, me).selectAll().where('id', '=', runId).executeTakeFirst();

/** A page of the runs that the user can see, the latest first, and their number. */
export async function listVisibleRuns(
  db: SchoolDb,
  me: StaffMember,
  { kind, page, perPage }: { kind: (typeof RUN_KINDS)[number] | undefined; page: number; perPage: number },
): Promise<{ runs: RunRow[]; total: number }> {
  const rows = kind === undefined ? visibleRuns(db, me) : visibleRuns(db, me).where('kind', '=', kind);
  const runs = await rows
    .selectAll()
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const { total } = await rows.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return { runs, total };
}

/** The latest year end that can still be undone. */
export const findYearEnd = (db: SchoolDb, now: Date) =>
  allRuns(db)
    .selectAll()
    .where('kind', '=', 'year_end')
    .where('state', '=', 'applied')
    .where('created_at', '>', new Date(now.getTime() - RUN_MS))
    .orderBy('id', 'desc')
    .executeTakeFirst();

/** Marks a run as undone. A nightly check may then plan the same again. */
export async function markUndone(db: SchoolDb, runId: number): Promise<void> {
  await db.tx
    .updateTable('runs')
    .set({ state: 'undone', plan_digest: null })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', runId)
    .execute();
  await deleteRows(db, runId);
}
