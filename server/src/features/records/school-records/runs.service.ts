import { createHash } from 'node:crypto';
import type { RUN_ORIGINS } from '#contract/calls/runs.ts';
import type { SchoolRecordsPlan } from '#contract/calls/school-records.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { dayIn } from '../../../clock.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffMember, StaffSession } from '../../../context.ts';
import { listStaff } from '../../accounts/access/access.public.ts';
import { listTakenEmails } from '../../school/teachers/teachers.public.ts';
import { closeRun, discardPlannedRun, insertRun, readState, type RunKind } from './school-records.queries.ts';
import { listExpectedStaff } from './staff.queries.ts';
import { deleteSource, ensureSource } from './sources.queries.ts';
import { findRun, isOpen, listRows } from '../runs/runs.public.ts';
import { planChanges } from './plan.service.ts';
import { NO_ANSWERS, type PlannedChanges, type SchoolRecords, type SchoolState } from './state.service.ts';

const LEAVING_MONTHS = ['06', '07', '08', '09'];

/** The school as it is now. Locks it for `update`. */
export async function readSchool(
  db: SchoolDb,
  sourceId: number,
  lock: 'update' | 'none',
  now: Date,
): Promise<SchoolState> {
  const taken = await listTakenEmails(db, now);
  const expected = await listExpectedStaff(db, sourceId);
  const staff = (await listStaff(db)).map(({ id, first_name: first, last_name: last, email, role }) => ({
    id,
    name: `${first} ${last}`,
    email,
    role,
    isExpected: expected.has(id),
  }));
  return {
    ...(await readState(db, sourceId, lock)),
    staff,
    staffEmails: new Set([...taken.staff, ...taken.pending]),
    isLeavingSeason: LEAVING_MONTHS.includes(dayIn('Europe/London', now).slice(5, 7)),
  };
}

/** Where a run comes from. */
interface RunOrigin {
  kind: RunKind;
  origin: (typeof RUN_ORIGINS)[number];
  /** Null for a nightly check. */
  by: number | null;
}

/** Stores a file's content as a planned run. Returns its ID. */
export async function planRun(db: SchoolDb, origin: RunOrigin, records: SchoolRecords, now: Date): Promise<number> {
  await lockSchool(db);
  const sourceId = await ensureSource(db, origin.kind, now);
  return storePlannedRun(db, sourceId, origin, records, await readSchool(db, sourceId, 'none', now), now);
}

/** Stores a planned run, which replaces one of the same source. Returns its ID. */
export async function storePlannedRun(
  db: SchoolDb,
  sourceId: number,
  origin: RunOrigin,
  records: SchoolRecords,
  state: SchoolState,
  now: Date,
): Promise<number> {
  const { plan } = planChanges(records, state, NO_ANSWERS);
  const known = new Map(state.links.map((link) => [link.sourceId, link.pupilId]));
  // Whom a row may be about, so that erasing the pupil deletes the row.
  const same = new Map([
    ...plan.questions.map(({ source_id, candidates }) => [source_id, candidates[0]?.id] as const),
    ...plan.recognised.map(({ source_id, pupil }) => [source_id, pupil ?? undefined] as const),
  ]);
  const { pupils: stated, ...staged } = records;
  // A record that could not be read says nothing about a pupil who is not known.
  const pupils = stated.filter(({ sourceId: id, name }) => name !== null || known.has(id));
  return insertRun(
    db,
    {
      sourceId,
      ...origin,
      planDigest: digestPlan(plan),
      records: staged,
      pupils: pupils.map((pupil) => ({
        pupilId: known.get(pupil.sourceId) ?? same.get(pupil.sourceId) ?? null,
        staged: pupil,
      })),
    },
    now,
  );
}

/** A planned run, whose source exists. */
export interface OpenRun {
  id: number;
  source_id: number;
}

/** A planned run with its records. Throws `not_found`. */
export async function getOpenRun(
  db: SchoolDb,
  runId: number,
  now: Date,
): Promise<{ run: OpenRun; records: SchoolRecords }> {
  const run = await findRun(db, runId);
  if (!run?.records || run.source_id === null || !isOpen(run, now)) throw new AppError('not_found');
  const rows = await listRows(db, runId);
  const pupils = rows.flatMap(({ content }) => ('staged' in content ? [content.staged] : []));
  return { run: { id: run.id, source_id: run.source_id }, records: { ...run.records, pupils } };
}

/** The parts of a plan that change something or need an answer. */
const CHANGE_PARTS = [
  'classes',
  'joiners',
  'returners',
  'movers',
  'names',
  'leavers',
  'recognised',
  'questions',
  'choices',
  'missing_staff',
] as const satisfies (keyof SchoolRecordsPlan)[];

/** Returns whether a plan changes nothing and has no questions. Staff to invite are no reason to email an admin. */
export const isEmptyPlan = (plan: SchoolRecordsPlan): boolean => CHANGE_PARTS.every((part) => plan[part].length === 0);

/** A digest by which the same plan is recognised on another day. */
export const digestPlan = (plan: SchoolRecordsPlan): string => digestOf(CHANGE_PARTS.map((part) => plan[part]));

/** A digest of everything that an admin sees of a plan. */
export const versionOf = (plan: SchoolRecordsPlan): string => digestOf(plan);

const digestOf = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('base64url');

/** The plan as an admin sees it: no one decides about themselves. */
export const planFor = ({ userId }: StaffMember, { plan }: PlannedChanges): SchoolRecordsPlan => ({
  ...plan,
  missing_staff: plan.missing_staff.filter(({ user }) => user !== userId),
});

/** What a planned run would change now. Throws `not_found`. */
export async function readPlan(db: SchoolDb, me: StaffMember, runId: number, now: Date) {
  const { run, records } = await getOpenRun(db, runId, now);
  const plan = planFor(me, planChanges(records, await readSchool(db, run.source_id, 'none', now), NO_ANSWERS));
  return { plan, version: versionOf(plan), notes: records.notes };
}

/** Discards a planned run. Throws `not_found`. */
export async function discardRun(db: SchoolDb, me: StaffSession, runId: number, now: Date): Promise<void> {
  await lockSchool(db);
  await getOpenRun(db, runId, now);
  await closeRun(db, runId, { state: 'discarded', by: me.userId, counts: null, rows: [] }, now);
}

/** Forgets a source and its planned run. Its pupils and classes stay. Throws `not_found`. */
export async function removeSource(db: SchoolDb, me: StaffSession, sourceId: number, now: Date): Promise<void> {
  await lockSchool(db);
  await discardPlannedRun(db, sourceId, me.userId, now);
  if (!(await deleteSource(db, sourceId))) throw new AppError('not_found');
  await recordChange(db, me, now, {
    action: 'school_records_source_removed',
    subjectKind: 'school',
    subjectId: db.schoolId,
  });
}
