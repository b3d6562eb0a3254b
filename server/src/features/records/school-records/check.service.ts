import type { Run } from '#contract/calls/runs.ts';
import type { SchoolRecordsPlan } from '#contract/calls/school-records.ts';
import { recordChange, NO_ACTOR } from '../../../audit/audit-log.queries.ts';
import type { Config } from '../../../config.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { getSchoolAccess } from '../../billing/subscriptions/subscriptions.public.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import type { Credential } from '../../school/login-cards/login-cards.public.ts';
import { getCapacity } from '../../school/pupils/pupils.public.ts';
import { deleteNightlyPlan } from './school-records.queries.ts';
import { ensureSource } from './sources.queries.ts';
import {
  type ConnectionRow,
  endClaim,
  findConnection,
  findLatestClosedState,
  findLatestRun,
  lockClaimed,
} from './connection.queries.ts';
import { assertSchoolChosen, CHECK_MS, chooseRows, claim, countFound, readServer } from './connection.service.ts';
import { toSchoolRecords } from './file.service.ts';
import { type FileReading, SchoolRecordsFileError } from './file-content.service.ts';
import { RUN_MS } from '../runs/runs.public.ts';
import { planChanges } from './plan.service.ts';
import { applyPlan, applyYearGroups, storeNamedStaff } from './apply.service.ts';
import { digestPlan, isEmptyPlan, readSchool, storePlannedRun } from './runs.service.ts';
import { NO_ANSWERS, type PlannedChanges, type SchoolRecords, type SchoolState } from './state.service.ts';

/** What a check has read, and the claim under which it may store it. */
export interface CheckedSchoolRecords {
  claimId: string;
  records: SchoolRecords;
  found: { pupils: number; classes: number };
}

/** Prepares what was read: only the chosen school, classes and year groups, and digests instead of UPNs. Throws a SchoolRecordsFileError. */
export function toChecked(
  reading: FileReading,
  connection: ConnectionRow,
  claimId: string,
  config: Config,
): CheckedSchoolRecords {
  const chosen = chooseRows(assertSchoolChosen(reading, connection), connection);
  return { claimId, records: toSchoolRecords(chosen, connection.school_id, config), found: countFound(chosen) };
}

/** Reads the server for an admin. Throws `not_found`, `school_records_checking`, `school_records_unreadable`. */
export async function readForAdmin(
  write: <T>(work: (db: SchoolDb) => Promise<T>) => Promise<T>,
  { config, now }: { config: Config; now: Date },
): Promise<CheckedSchoolRecords> {
  const { claimId, connection } = await write((db) => claim(db, now, CHECK_MS));
  const end = (stored: Parameters<typeof endClaim>[2]) => write((db) => endClaim(db, claimId, stored));
  try {
    const reading = await readServer(connection, { config, now, signal: AbortSignal.timeout(CHECK_MS) });
    return toChecked(reading, connection, claimId, config);
  } catch (error) {
    if (!(error instanceof SchoolRecordsFileError)) {
      await end(undefined);
      throw error;
    }
    const { failure } = error;
    await end({ checked_at: now, result: { failure }, is_failure_mailed: connection.is_failure_mailed });
    throw new AppError('school_records_unreadable', { text: failure });
  }
}

/**
 * Locks the school and its connection, for a check to store something. Undefined when it must store nothing: the
 * connection has changed or is removed, or the school is closed, locked, expired or erased.
 */
export async function lockDue(db: SchoolDb, claimId: string, now: Date): Promise<ConnectionRow | undefined> {
  // The school may have been erased meanwhile.
  if ((await findConnection(db))?.claim_id !== claimId) return undefined;
  await lockSchool(db);
  const connection = await lockClaimed(db, claimId);
  if ((await getSchoolAccess(db, now)) === 'open') return connection;
  await endClaim(db, claimId, undefined);
  return undefined;
}

/** Plans a run from what an admin's check has read. Returns its ID, or null when nothing differs. Throws `conflict`. */
export async function planCheckedRecords(
  db: SchoolDb,
  me: StaffSession,
  { claimId, records, found }: CheckedSchoolRecords,
  now: Date,
): Promise<number | null> {
  if (!(await lockDue(db, claimId, now))) throw new AppError('conflict');
  await endClaim(db, claimId, { checked_at: now, result: found, is_failure_mailed: false });
  const { sourceId, state, relevant } = await compare(db, records, 'none', now);
  const planned = planChanges(relevant, state, NO_ANSWERS);
  if (isEmptyPlan(planned.plan)) {
    await deleteNightlyPlan(db, sourceId);
    await applyYearGroups(db, sourceId, planned, state, now);
    await storeNamedStaff(db, sourceId, relevant, state, now);
    return null;
  }
  return storePlannedRun(db, sourceId, { kind: 'oneroster', origin: 'check', by: me.userId }, relevant, state, now);
}

/** The school, and the records without the pupils who are unknown, and have left or are not chosen. */
async function compare(db: SchoolDb, records: SchoolRecords, lock: 'update' | 'none', now: Date) {
  const sourceId = await ensureSource(db, 'oneroster', now);
  const state = await readSchool(db, sourceId, lock, now);
  const known = new Set(state.links.filter(({ hasLeft }) => !hasLeft).map((link) => link.sourceId));
  const relevant = {
    ...records,
    pupils: records.pupils.filter((row) => (row.name !== null && !row.isGone) || known.has(row.sourceId)),
  };
  return { sourceId, state, relevant };
}

/**
 * The part of school records that a nightly check may apply: pupils who join or change class. Changes of name stay as they
 * are in the school, and so do pupils in the archive.
 */
function selectJoinersAndMovers(
  records: SchoolRecords,
  { renames, plan }: PlannedChanges,
  state: SchoolState,
): SchoolRecords {
  const renamed = new Set(plan.names.map((row) => row.source_id));
  // An admin sees first who was recognised.
  const recognised = new Set(plan.recognised.map((row) => row.source_id));
  const back = new Set(plan.returners.map((row) => row.source_id));
  const names = new Map(state.classes.map(({ id, name }) => [id, name]));
  const waitingIds = new Set(renames.map(({ id }) => id));
  const formerNames = new Map(
    state.classLinks.flatMap(({ sourceId, classId }) =>
      waitingIds.has(classId) ? [[sourceId, names.get(classId) ?? ''] as const] : [],
    ),
  );
  return {
    ...records,
    classes: records.classes.map((schoolClass) => ({
      ...schoolClass,
      name: formerNames.get(schoolClass.sourceId) ?? schoolClass.name,
    })),
    pupils: records.pupils.flatMap((row) =>
      recognised.has(row.sourceId)
        ? []
        : [
            {
              ...row,
              name: renamed.has(row.sourceId) ? null : row.name,
              isGone: row.isGone || back.has(row.sourceId),
            },
          ],
    ),
  };
}

/** What a nightly check may apply; undefined for nothing. It applies no plan that is on hold, and adds all joiners or none. */
async function planAutomatic(
  db: SchoolDb,
  connection: ConnectionRow,
  { sourceId, state, relevant }: Awaited<ReturnType<typeof compare>>,
  now: Date,
): Promise<PlannedChanges | undefined> {
  if (!connection.is_automatic || (await findLatestClosedState(db, sourceId)) !== 'applied') return undefined;
  const whole = planChanges(relevant, state, NO_ANSWERS);
  if (whole.plan.on_hold) return undefined;
  const planned = planChanges(selectJoinersAndMovers(relevant, whole, state), state, NO_ANSWERS);
  const { left } = await getCapacity(db, now);
  if (planned.joiners.length + planned.moves.length === 0) return undefined;
  return left === null || planned.joiners.length <= left ? planned : undefined;
}

/** The classes of the pupils whom a nightly check would add, for whom passwords are hashed outside the transaction. */
export async function listNightlyJoiners(
  db: SchoolDb,
  { claimId, records }: CheckedSchoolRecords,
  now: Date,
): Promise<(string | null)[]> {
  const connection = await lockDue(db, claimId, now);
  if (!connection) return [];
  const planned = await planAutomatic(db, connection, await compare(db, records, 'none', now), now);
  return planned?.plan.joiners.map((joiner) => joiner.class) ?? [];
}

/** What a nightly check did, for an email; null for each that did not happen. */
interface NightlyOutcome {
  applied: Run['counts'];
  openPlan: SchoolRecordsPlan | null;
}

/**
 * Stores what a nightly check has read: applies what it may, and plans a run for the rest, unless the same was planned in
 * the last 30 days. Returns undefined when it must store nothing.
 */
export async function applyNightlyCheck(
  db: SchoolDb,
  { claimId, records, found }: CheckedSchoolRecords,
  credentials: readonly Credential[],
  { now, config }: { now: Date; config: Config },
): Promise<NightlyOutcome | undefined> {
  const connection = await lockDue(db, claimId, now);
  if (!connection) return undefined;
  await endClaim(db, claimId, { checked_at: now, result: found, is_failure_mailed: false });
  const compared = await compare(db, records, 'update', now);
  const { sourceId, relevant } = compared;
  const runOrigin = { kind: 'oneroster', origin: 'nightly', by: null } as const;
  let { state } = compared;
  const latest = await findLatestRun(db, sourceId, new Date(now.getTime() - RUN_MS));
  const planned = await planAutomatic(db, connection, compared, now);
  let applied: NightlyOutcome['applied'] = null;
  if (planned) {
    const id = await storePlannedRun(db, sourceId, runOrigin, relevant, state, now);
    const work = { planned, before: state, leavers: [], records: relevant };
    const author = { ...NO_ACTOR, role: 'admin' } as const;
    const result = await applyPlan(db, author, { id, source_id: sourceId }, work, credentials, { now, config });
    applied = result.counts;
    state = result.after;
    await recordChange(db, NO_ACTOR, now, {
      action: 'school_records_applied_nightly',
      subjectKind: 'school',
      subjectId: db.schoolId,
      details: { ...result.counts, run: id },
    });
  }
  const open = planChanges(relevant, state, NO_ANSWERS);
  const { plan } = open;
  if (isEmptyPlan(plan)) {
    await deleteNightlyPlan(db, sourceId);
    await applyYearGroups(db, sourceId, open, state, now);
    await storeNamedStaff(db, sourceId, relevant, state, now);
    return { applied, openPlan: null };
  }
  const isKnown = latest?.plan_digest === digestPlan(plan);
  // The planned run was replaced by the one that has been applied.
  const isReplaced = applied !== null && latest?.state === 'planned';
  if (!isKnown || isReplaced) await storePlannedRun(db, sourceId, runOrigin, relevant, state, now);
  return { applied, openPlan: isKnown ? null : plan };
}
