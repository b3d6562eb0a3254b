import { createHash } from 'node:crypto';
import type { ROSTER_KINDS, ROSTER_ORIGINS, RosterDecisions, RosterPlan } from '#contract/calls/roster.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { DAY_MS, dayIn } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { RosterPupilValues } from '../../../database/column-types.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { emailKey } from '../../accounts/access/access.public.ts';
import { archive, restore } from '../../school/archive/archive.public.ts';
import { type Credential, generateCredentials } from '../../school/login-cards/login-cards.public.ts';
import { createPlanned, type ImportAuthor } from '../pupil-import/pupil-import.public.ts';
import { assertCapacity } from '../../school/pupils/pupils.public.ts';
import { inviteTeachers, listTakenEmails } from '../../school/teachers/teachers.public.ts';
import {
  decideRun,
  deleteSource,
  ensureSource,
  findRun,
  insertRun,
  listRows,
  readState,
  rejectProposed,
  renameClasses,
  renamePupils,
  type RunRow,
  saveClassLinks,
  saveLinks,
  toRosterLink,
} from './roster.queries.ts';
import { planRoster } from './roster-plan.service.ts';
import {
  type ClassTarget,
  NO_ANSWERS,
  type PlannedRoster,
  type PupilLink,
  type Roster,
  type RosterAnswers,
  type RosterState,
} from './roster-state.service.ts';

/** A run can be decided about, and then undone, for this long. */
export const RUN_MS = 30 * DAY_MS;
const LEAVING_MONTHS = ['06', '07', '08', '09'];

/** The school as it is now. Locks it for `update`. */
export async function readSchool(
  db: SchoolDb,
  sourceId: number,
  lock: 'update' | 'none',
  now: Date,
): Promise<RosterState> {
  const taken = await listTakenEmails(db, now);
  return {
    ...(await readState(db, sourceId, lock)),
    staffEmails: new Set([...taken.staff, ...taken.pending]),
    isLeavingSeason: LEAVING_MONTHS.includes(dayIn('Europe/London', now).slice(5, 7)),
  };
}

/** Where a proposal comes from. */
export interface Proposal {
  kind: (typeof ROSTER_KINDS)[number];
  origin: (typeof ROSTER_ORIGINS)[number];
  /** Null for a nightly check. */
  by: number | null;
}

/** Stores a file's content as a proposed run. Returns its ID. */
export async function proposeRun(db: SchoolDb, proposal: Proposal, roster: Roster, now: Date): Promise<number> {
  await lockSchool(db);
  const sourceId = await ensureSource(db, proposal.kind, now);
  return storeProposal(db, sourceId, proposal, roster, await readSchool(db, sourceId, 'none', now), now);
}

/** Stores a proposed run, which replaces one of the same source. Returns its ID. */
export async function storeProposal(
  db: SchoolDb,
  sourceId: number,
  proposal: Proposal,
  roster: Roster,
  state: RosterState,
  now: Date,
): Promise<number> {
  const { plan } = planRoster(roster, state, NO_ANSWERS);
  const known = new Map(state.links.map((link) => [link.sourceId, link.pupilId]));
  // Whom a row may be about, so that erasing the pupil deletes the row.
  const questioned = new Map(plan.questions.map(({ source_id, candidates }) => [source_id, candidates[0]?.id]));
  const { pupils, ...rest } = roster;
  return insertRun(
    db,
    {
      sourceId,
      ...proposal,
      planDigest: digestDecisions(plan),
      roster: rest,
      pupils: pupils.map((staged) => ({
        pupilId: known.get(staged.sourceId) ?? questioned.get(staged.sourceId) ?? null,
        staged,
      })),
    },
    now,
  );
}

/** True while an admin can decide about a proposed run. */
export const isOpen = ({ state, created_at }: RunRow, now: Date): boolean =>
  state === 'proposed' && created_at.getTime() > now.getTime() - RUN_MS;

/** A proposed run with its roster. Throws `not_found`. */
async function getOpenRun(db: SchoolDb, runId: number, now: Date): Promise<{ run: RunRow; roster: Roster }> {
  const run = await findRun(db, runId);
  if (!run?.roster || !isOpen(run, now)) throw new AppError('not_found');
  const rows = await listRows(db, runId);
  const pupils = rows.flatMap(({ content }) => ('staged' in content ? [content.staged] : []));
  return { run, roster: { ...run.roster, pupils } };
}

/** The parts of a plan that accepting it changes, or that need an answer. */
const DECISIONS = [
  'classes',
  'joiners',
  'returners',
  'movers',
  'names',
  'leavers',
  'questions',
  'choices',
] as const satisfies (keyof RosterPlan)[];

/** Returns whether a plan changes nothing and asks nothing. Staff alone are no reason to write to an admin. */
export const isSettled = (plan: RosterPlan): boolean => DECISIONS.every((part) => plan[part].length === 0);

/** A digest by which the same proposal is recognised on another day. */
export const digestDecisions = (plan: RosterPlan): string =>
  createHash('sha256')
    .update(JSON.stringify(DECISIONS.map((part) => plan[part])))
    .digest('base64url');

const versionOf = (plan: RosterPlan): string => createHash('sha256').update(JSON.stringify(plan)).digest('base64url');

/** What a proposed run would change now. Throws `not_found`. */
export async function readPlan(db: SchoolDb, runId: number, now: Date) {
  const { run, roster } = await getOpenRun(db, runId, now);
  const { plan } = planRoster(roster, await readSchool(db, run.source_id, 'none', now), NO_ANSWERS);
  return { plan, version: versionOf(plan), notes: roster.notes };
}

function toAnswers({ merges, classes }: RosterDecisions, { questions }: RosterPlan): RosterAnswers {
  const candidates = new Map(questions.map((one) => [one.source_id, new Set(one.candidates.map(({ id }) => id))]));
  const used = new Set<number>();
  for (const { source_id, pupil } of merges) {
    if (pupil === null) continue;
    if (!candidates.get(source_id)?.has(pupil)) throw new AppError('pupil_not_found');
    if (used.has(pupil)) throw fieldError('merges', 'Two pupils of the file cannot be the same child.');
    used.add(pupil);
  }
  return {
    merges: new Map(merges.map(({ source_id, pupil }) => [source_id, pupil ?? 'new'])),
    classes: new Map(classes.map((one) => [one.source_id, one.class])),
  };
}

/** The target as an import has it: with the name of the class. */
const toTarget = (target: ClassTarget | undefined, { classes }: RosterState, renames: PlannedRoster['renames']) => {
  if (!target || 'newKey' in target) return target ?? null;
  const name = [...renames, ...classes].find(({ id }) => id === target.id)?.name ?? '';
  return { id: target.id, name };
};

const toImport = ({ joiners, returners, moves, newClasses, renames }: PlannedRoster, state: RosterState) => ({
  creating: joiners.map(({ name, target }) => ({ name, target: toTarget(target, state, renames) })),
  moves: [
    ...returners.flatMap(({ pupilId, target }) => (target ? [{ pupilId, target, isRestored: true }] : [])),
    ...moves.map(({ pupilId, target }) => ({ pupilId, target, isRestored: false })),
  ].map((move) => ({ ...move, target: toTarget(move.target, state, renames) })),
  newClasses,
});

/** Hashes a password for each pupil whom the run will add, outside the transaction. Throws `not_found`. */
export async function prepareApply(
  read: <T>(work: (db: SchoolDb) => Promise<T>) => Promise<T>,
  me: StaffSession,
  runId: number,
  decisions: RosterDecisions,
  { now, config }: { now: Date; config: Config },
): Promise<Credential[]> {
  const classNames = await read(async (db) => {
    const { run, roster } = await getOpenRun(db, runId, now);
    const state = await readSchool(db, run.source_id, 'none', now);
    const { plan } = planRoster(roster, state, NO_ANSWERS);
    const planned = planRoster(roster, state, toAnswers(decisions, plan));
    const added = planned.joiners.length + planned.returners.length - decisions.leavers.length;
    await assertCapacity(db, me, added, now);
    return planned.plan.joiners.map((one) => one.class);
  });
  return generateCredentials(classNames, config.hashCost);
}

/**
 * Carries out a run under the school's lock, in full or not at all. Throws `not_found`, `roster_outdated`,
 * `roster_held`, `pupil_not_found`, `max_readers_reached`.
 */
export async function applyRun(
  db: SchoolDb,
  me: StaffSession,
  runId: number,
  decisions: RosterDecisions,
  credentials: readonly Credential[],
  { now, config }: { now: Date; config: Config },
) {
  await lockSchool(db);
  const { run, roster } = await getOpenRun(db, runId, now);
  const before = await readSchool(db, run.source_id, 'update', now);
  const { plan: shown } = planRoster(roster, before, NO_ANSWERS);
  if (versionOf(shown) !== decisions.version) throw new AppError('roster_outdated');
  if (shown.hold && !decisions.confirm_hold) throw new AppError('roster_held');
  const leavers = [...new Set(decisions.leavers)];
  const candidates = new Set(shown.leavers.map(({ pupil }) => pupil));
  if (!leavers.every((id) => candidates.has(id))) throw new AppError('pupil_not_found');
  const planned = planRoster(roster, before, toAnswers(decisions, shown));

  if (leavers.length > 0) await archive(db, me, leavers, now);
  const { counts, links } = await carryOut(db, me, run, { planned, before, leavers, roster }, credentials, {
    now,
    config,
  });
  const wanted = new Set(decisions.invites.map(emailKey));
  const staff = planned.plan.staff.filter(({ email }) => wanted.has(emailKey(email)));
  const position = { role: 'teacher', classIds: [], withLinks: false } as const;
  const failed = staff.length > 0 ? (await inviteTeachers(db, me, staff, position, config, now)).failed : [];
  await recordChange(db, me, now, {
    action: 'records_applied',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { ...counts, run: runId },
  });
  return { links, failedInvites: failed.map(({ name, error }) => `${name}: ${error}`) };
}

/**
 * Writes a planned roster, whose leavers have been archived, and records what it changed. Throws `max_readers_reached`.
 * @param work.before the school before the leavers were archived
 */
export async function carryOut(
  db: SchoolDb,
  author: ImportAuthor,
  run: Pick<RunRow, 'id' | 'source_id'>,
  work: { planned: PlannedRoster; before: RosterState; leavers: readonly number[]; roster: Roster },
  credentials: readonly Credential[],
  { now, config }: { now: Date; config: Config },
) {
  const { planned, before, leavers, roster } = work;
  await assertCapacity(db, author, planned.joiners.length + planned.returners.length, now);
  await renameClasses(db, planned.renames);
  const stay = planned.returners.filter(({ target }) => !target).map(({ pupilId }) => pupilId);
  if (stay.length > 0) await restore(db, author, stay, now);
  const made = await createPlanned(db, author, toImport(planned, before), credentials, { now, config });
  await renamePupils(db, planned.nameChanges);
  await storeLinks(db, run.source_id, planned, made, before.links, new Set(leavers));
  const counts = {
    joiners: planned.joiners.length,
    returners: planned.returners.length,
    movers: planned.moves.length,
    names: planned.nameChanges.length,
    leavers: leavers.length,
    classes: planned.renames.length + planned.newClasses.size,
  };
  const after = await readSchool(db, run.source_id, 'none', now);
  const planDigest = digestDecisions(planRoster(roster, after, NO_ANSWERS).plan);
  const decision = {
    state: 'applied',
    by: author.userId,
    counts,
    changes: compareStates(before, after),
    planDigest,
  } as const;
  await decideRun(db, run.id, decision, now);
  return { counts, links: made.links, after };
}

async function storeLinks(
  db: SchoolDb,
  sourceId: number,
  planned: PlannedRoster,
  made: Awaited<ReturnType<typeof createPlanned>>,
  known: readonly PupilLink[],
  leavers: ReadonlySet<number>,
): Promise<void> {
  const idOf = (target: ClassTarget) => ('id' in target ? target.id : (made.classes.get(target.newKey)?.id ?? 0));
  await saveClassLinks(
    db,
    sourceId,
    planned.classLinks.map(({ target, ...link }) => ({ ...link, classId: idOf(target) })),
  );
  const created = new Map(planned.joiners.map(({ sourceId: id }, index) => [id, made.pupils[index]?.id]));
  const links = planned.links.flatMap(({ target, pupilId, classId, ...link }): PupilLink[] => {
    const id = pupilId ?? created.get(link.sourceId);
    return id === undefined ? [] : [{ ...link, pupilId: id, classId: target ? idOf(target) : classId }];
  });
  const left = known.filter(({ pupilId }) => leavers.has(pupilId));
  await saveLinks(db, sourceId, [
    ...links,
    ...left.map((link) => ({ ...link, hasLeft: true, upn: null, birth: null })),
  ]);
}

/** The pupils and classes that differ between two states of a school. */
function compareStates(before: RosterState, after: RosterState) {
  const valuesIn = (state: RosterState) => {
    const links = new Map(state.links.map((link) => [link.pupilId, link]));
    return new Map(
      state.pupils.map(({ id, name, classId, isArchived }): [number, RosterPupilValues] => {
        const link = links.get(id);
        return [id, { name, classId, isArchived, link: link ? toRosterLink(link) : null }];
      }),
    );
  };
  const former = valuesIn(before);
  const changes: { pupilId: number | null; classId: number | null; content: RowContent }[] = [];
  for (const [id, now] of valuesIn(after)) {
    const then = former.get(id) ?? null;
    const isSameLink = then?.link?.sourceId === now.link?.sourceId && then?.link?.hasLeft === now.link?.hasLeft;
    const isSame =
      then?.name === now.name && then.classId === now.classId && then.isArchived === now.isArchived && isSameLink;
    if (!isSame) changes.push({ pupilId: id, classId: null, content: { before: then, after: now } });
  }
  const names = new Map(before.classes.map(({ id, name }) => [id, name]));
  for (const { id, name } of after.classes)
    if (names.get(id) !== name)
      changes.push({ pupilId: null, classId: id, content: { from: names.get(id) ?? null, to: name } });
  return changes;
}

type RowContent = { before: RosterPupilValues | null; after: RosterPupilValues } | { from: string | null; to: string };

/** Drops a proposed run. Throws `not_found`. */
export async function rejectRun(db: SchoolDb, me: StaffSession, runId: number, now: Date): Promise<void> {
  await lockSchool(db);
  await getOpenRun(db, runId, now);
  await decideRun(db, runId, { state: 'rejected', by: me.userId, counts: null, changes: [] }, now);
}

/** Forgets a source and its file that waits. Its pupils and classes stay. Throws `not_found`. */
export async function removeSource(db: SchoolDb, me: StaffSession, sourceId: number, now: Date): Promise<void> {
  await lockSchool(db);
  await rejectProposed(db, sourceId, me.userId, now);
  if (!(await deleteSource(db, sourceId))) throw new AppError('not_found');
  await recordChange(db, me, now, {
    action: 'records_source_removed',
    subjectKind: 'school',
    subjectId: db.schoolId,
  });
}
