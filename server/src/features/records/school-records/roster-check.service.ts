import type { RosterPlan, RosterRun } from '#contract/calls/roster.ts';
import { recordChange, NO_ACTOR } from '../../../audit/audit-log.queries.ts';
import type { Config } from '../../../config.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { getSchoolAccess } from '../../../database/school-access.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import type { Credential } from '../../school/login-cards/login-cards.public.ts';
import { getCapacity } from '../../school/pupils/pupils.public.ts';
import { deleteNightlyProposal, ensureSource } from './roster.queries.ts';
import {
  type ConnectionRow,
  endClaim,
  findConnection,
  findLatestDecision,
  findLatestRun,
  lockClaimed,
} from './roster-connection.queries.ts';
import { CHECK_MS, chooseRows, claim, countFound, readServer } from './roster-connection.service.ts';
import { toRoster } from './roster-file.service.ts';
import { type RosterFile, RosterFileError } from './roster-file-content.service.ts';
import { planRoster } from './roster-plan.service.ts';
import { carryOut, digestDecisions, isSettled, readSchool, RUN_MS, storeProposal } from './roster-runs.service.ts';
import { NO_ANSWERS, type PlannedRoster, type Roster, type RosterState } from './roster-state.service.ts';

/** What a check has read, and the claim under which it may store it. */
export interface CheckedRoster {
  claimId: string;
  roster: Roster;
  found: { pupils: number; classes: number };
}

/** Prepares what was read: only the chosen classes and year groups, and digests instead of UPNs. Throws a RosterFileError. */
export function toChecked(file: RosterFile, connection: ConnectionRow, claimId: string, config: Config): CheckedRoster {
  const chosen = chooseRows(file, connection);
  return { claimId, roster: toRoster(chosen, connection.school_id, config), found: countFound(chosen) };
}

/** Reads the server for an admin. Throws `not_found`, `roster_checking`, `records_unreadable`. */
export async function readForAdmin(
  write: <T>(work: (db: SchoolDb) => Promise<T>) => Promise<T>,
  { config, now }: { config: Config; now: Date },
): Promise<CheckedRoster> {
  const { claimId, connection } = await write((db) => claim(db, now, CHECK_MS));
  const end = (stored: Parameters<typeof endClaim>[2]) => write((db) => endClaim(db, claimId, stored));
  try {
    const file = await readServer(connection, { config, now, signal: AbortSignal.timeout(CHECK_MS) });
    return toChecked(file, connection, claimId, config);
  } catch (error) {
    if (!(error instanceof RosterFileError)) {
      await end(undefined);
      throw error;
    }
    const { failure } = error;
    await end({ checked_at: now, result: { failure }, is_failure_mailed: connection.is_failure_mailed });
    throw new AppError('records_unreadable', { text: failure });
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

/** Proposes what an admin's check has read. Returns the run, or null when nothing differs. Throws `conflict`. */
export async function proposeChecked(
  db: SchoolDb,
  me: StaffSession,
  { claimId, roster, found }: CheckedRoster,
  now: Date,
): Promise<number | null> {
  if (!(await lockDue(db, claimId, now))) throw new AppError('conflict');
  await endClaim(db, claimId, { checked_at: now, result: found, is_failure_mailed: false });
  const { sourceId, state, own } = await compare(db, roster, 'none', now);
  if (isSettled(planRoster(own, state, NO_ANSWERS).plan)) {
    await deleteNightlyProposal(db, sourceId);
    return null;
  }
  return storeProposal(db, sourceId, { kind: 'oneroster', origin: 'check', by: me.userId }, own, state, now);
}

/** The school, and the roster without the pupils who are unknown, and have left or are not chosen. */
async function compare(db: SchoolDb, roster: Roster, lock: 'update' | 'none', now: Date) {
  const sourceId = await ensureSource(db, 'oneroster', now);
  const state = await readSchool(db, sourceId, lock, now);
  const known = new Set(state.links.filter(({ hasLeft }) => !hasLeft).map((link) => link.sourceId));
  const own = {
    ...roster,
    pupils: roster.pupils.filter((row) => (row.name !== null && !row.isGone) || known.has(row.sourceId)),
  };
  return { sourceId, state, own };
}

/**
 * The part of a roster that a nightly check may carry out: pupils who join or change class. Changes of name stay as they
 * are in the school, and so do pupils in the archive.
 */
function keepJoinersAndMovers(roster: Roster, { renames, plan }: PlannedRoster, state: RosterState): Roster {
  const renamed = new Set(plan.names.map((row) => row.source_id));
  const back = new Set(plan.returners.map((row) => row.source_id));
  const names = new Map(state.classes.map(({ id, name }) => [id, name]));
  const waiting = new Set(renames.map(({ id }) => id));
  const formerNames = new Map(
    state.classLinks.flatMap(({ sourceId, classId }) =>
      waiting.has(classId) ? [[sourceId, names.get(classId) ?? ''] as const] : [],
    ),
  );
  return {
    ...roster,
    classes: roster.classes.map((one) => ({ ...one, name: formerNames.get(one.sourceId) ?? one.name })),
    pupils: roster.pupils.map((row) => ({
      ...row,
      name: renamed.has(row.sourceId) ? null : row.name,
      isGone: row.isGone || back.has(row.sourceId),
    })),
  };
}

/** What a nightly check may carry out; undefined for nothing. It passes no hold, and adds all joiners or none. */
async function planAutomatic(
  db: SchoolDb,
  connection: ConnectionRow,
  { sourceId, state, own }: Awaited<ReturnType<typeof compare>>,
  now: Date,
): Promise<PlannedRoster | undefined> {
  if (!connection.is_automatic || (await findLatestDecision(db, sourceId)) !== 'applied') return undefined;
  const whole = planRoster(own, state, NO_ANSWERS);
  if (whole.plan.hold) return undefined;
  const planned = planRoster(keepJoinersAndMovers(own, whole, state), state, NO_ANSWERS);
  const { left } = await getCapacity(db, now);
  if (planned.joiners.length + planned.moves.length === 0) return undefined;
  return left === null || planned.joiners.length <= left ? planned : undefined;
}

/** The classes of the pupils whom a nightly check would add, for whom passwords are hashed outside the transaction. */
export async function listNightlyJoiners(
  db: SchoolDb,
  { claimId, roster }: CheckedRoster,
  now: Date,
): Promise<(string | null)[]> {
  const connection = await lockDue(db, claimId, now);
  if (!connection) return [];
  const planned = await planAutomatic(db, connection, await compare(db, roster, 'none', now), now);
  return planned?.plan.joiners.map((one) => one.class) ?? [];
}

/** What a nightly check did, for an email; null for each that did not happen. */
export interface NightlyOutcome {
  applied: RosterRun['counts'];
  proposed: RosterPlan | null;
}

/**
 * Stores what a nightly check has read: carries out what it may, and proposes the rest, unless the same was proposed in
 * the last 30 days. Returns undefined when it must store nothing.
 */
export async function settleNightly(
  db: SchoolDb,
  { claimId, roster, found }: CheckedRoster,
  credentials: readonly Credential[],
  { now, config }: { now: Date; config: Config },
): Promise<NightlyOutcome | undefined> {
  const connection = await lockDue(db, claimId, now);
  if (!connection) return undefined;
  await endClaim(db, claimId, { checked_at: now, result: found, is_failure_mailed: false });
  const compared = await compare(db, roster, 'update', now);
  const { sourceId, own } = compared;
  const proposal = { kind: 'oneroster', origin: 'nightly', by: null } as const;
  let { state } = compared;
  const latest = await findLatestRun(db, sourceId, new Date(now.getTime() - RUN_MS));
  const planned = await planAutomatic(db, connection, compared, now);
  let applied: NightlyOutcome['applied'] = null;
  if (planned) {
    const id = await storeProposal(db, sourceId, proposal, own, state, now);
    const work = { planned, before: state, leavers: [], roster: own };
    const author = { ...NO_ACTOR, role: 'admin' } as const;
    const done = await carryOut(db, author, { id, source_id: sourceId }, work, credentials, { now, config });
    applied = done.counts;
    state = done.after;
    await recordChange(db, NO_ACTOR, now, {
      action: 'records_applied_nightly',
      subjectKind: 'school',
      subjectId: db.schoolId,
      details: { ...done.counts, run: id },
    });
  }
  const { plan } = planRoster(own, state, NO_ANSWERS);
  if (isSettled(plan)) {
    await deleteNightlyProposal(db, sourceId);
    return { applied, proposed: null };
  }
  const isKnown = latest?.plan_digest === digestDecisions(plan);
  // What waited for a decision was replaced by what has been applied.
  const isReplaced = applied !== null && latest?.state === 'proposed';
  if (!isKnown || isReplaced) await storeProposal(db, sourceId, proposal, own, state, now);
  return { applied, proposed: isKnown ? null : plan };
}
