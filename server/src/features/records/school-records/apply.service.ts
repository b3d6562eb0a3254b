import type { SchoolRecordsAnswers, SchoolRecordsPlan } from '#contract/calls/school-records.ts';
import { yearGroupOn } from '#contract/year-group.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { dayIn } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { emailKey } from '../../accounts/access/access.public.ts';
import { archivePupils, restorePupils } from '../../school/archive/archive.public.ts';
import { renameClasses } from '../../school/classes/classes.public.ts';
import { type Credential, generateCredentials } from '../../school/login-cards/login-cards.public.ts';
import { assertCapacity, renamePupils, updateYearGroups } from '../../school/pupils/pupils.public.ts';
import { inviteTeachers, removeTeacher } from '../../school/teachers/teachers.public.ts';
import { applyImportPlan, type ImportAuthor } from '../pupil-import/pupil-import.public.ts';
import {
  compareSnapshots,
  type PupilLink,
  saveClassLinks,
  saveLinks,
  type Snapshot,
  toStoredLink,
} from '../runs/runs.public.ts';
import { planChanges } from './plan.service.ts';
import { digestPlan, getOpenRun, type OpenRun, planFor, readSchool, versionOf } from './runs.service.ts';
import { closeRun } from './school-records.queries.ts';
import { keepStaff, saveNamedStaff } from './staff.queries.ts';
import {
  type ClassTarget,
  NO_ANSWERS,
  type PlanAnswers,
  type PlannedChanges,
  type SchoolRecords,
  type SchoolState,
} from './state.service.ts';

function toPlanAnswers(
  { merges, classes, left_out }: SchoolRecordsAnswers,
  { questions, recognised }: SchoolRecordsPlan,
): PlanAnswers {
  const candidates = new Map([
    ...questions.map((question) => [question.source_id, new Set(question.candidates.map(({ id }) => id))] as const),
    ...recognised.map(({ source_id, pupil }) => [source_id, new Set([pupil ?? 0])] as const),
  ]);
  const used = new Set<number>();
  for (const { source_id, pupil } of merges) {
    if (pupil === null) continue;
    if (!candidates.get(source_id)?.has(pupil)) throw new AppError('pupil_not_found');
    if (used.has(pupil)) throw fieldError('merges', 'Two pupils of the file cannot be the same child.');
    used.add(pupil);
  }
  return {
    merges: new Map(merges.map(({ source_id, pupil }) => [source_id, pupil ?? 'new'])),
    classes: new Map(classes.map((choice) => [choice.source_id, choice.class])),
    leftOut: new Set(left_out),
  };
}

/** The target as an import has it: with the name of the class. */
const toTarget = (target: ClassTarget | undefined, { classes }: SchoolState, renames: PlannedChanges['renames']) => {
  if (!target || 'newKey' in target) return target ?? null;
  const name = [...renames, ...classes].find(({ id }) => id === target.id)?.name ?? '';
  return { id: target.id, name };
};

const toImport = ({ joiners, returners, moves, newClasses, renames }: PlannedChanges, state: SchoolState) => ({
  creating: joiners.map(({ name, target, yearGroup }) => ({
    name,
    yearGroup,
    target: toTarget(target, state, renames),
  })),
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
  answers: SchoolRecordsAnswers,
  { now, config }: { now: Date; config: Config },
): Promise<Credential[]> {
  const classNames = await read(async (db) => {
    const { run, records } = await getOpenRun(db, runId, now);
    const state = await readSchool(db, run.source_id, 'none', now);
    const { plan } = planChanges(records, state, NO_ANSWERS);
    const planned = planChanges(records, state, toPlanAnswers(answers, plan));
    const added = planned.joiners.length + planned.returners.length - answers.leavers.length;
    await assertCapacity(db, me, added, now);
    return planned.plan.joiners.map((joiner) => joiner.class);
  });
  return generateCredentials(classNames, config.hashCost);
}

/**
 * Applies a run under the school's lock, in full or not at all. Throws `not_found`, `school_records_outdated`,
 * `school_records_on_hold`, `pupil_not_found`, `max_readers_reached`.
 */
export async function applyRun(
  db: SchoolDb,
  me: StaffSession,
  runId: number,
  answers: SchoolRecordsAnswers,
  credentials: readonly Credential[],
  { now, config }: { now: Date; config: Config },
) {
  await lockSchool(db);
  const { run, records } = await getOpenRun(db, runId, now);
  const before = await readSchool(db, run.source_id, 'update', now);
  const shown = planFor(me, planChanges(records, before, NO_ANSWERS));
  if (versionOf(shown) !== answers.version) throw new AppError('school_records_outdated');
  if (shown.on_hold && !answers.is_confirmed) throw new AppError('school_records_on_hold');
  const leavers = [...new Set(answers.leavers)];
  const candidates = new Set(shown.leavers.map(({ pupil }) => pupil));
  if (!leavers.every((id) => candidates.has(id))) throw new AppError('pupil_not_found');
  const planned = planChanges(records, before, toPlanAnswers(answers, shown));

  if (leavers.length > 0) await archivePupils(db, me, leavers, now);
  await decideMissingStaff(db, me, run.source_id, { shown, answers }, now);
  const { counts, links } = await applyPlan(db, me, run, { planned, before, leavers, records }, credentials, {
    now,
    config,
  });
  const wanted = new Set(answers.invites.map(emailKey));
  const staff = planned.plan.staff.filter(({ email }) => wanted.has(emailKey(email)));
  const position = { role: 'teacher', classIds: [], withLinks: false } as const;
  const failed = staff.length > 0 ? (await inviteTeachers(db, me, staff, position, config, now)).failed : [];
  await recordChange(db, me, now, {
    action: 'school_records_applied',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { ...counts, run: runId },
  });
  return { links, failedInvites: failed.map(({ name, error }) => `${name}: ${error}`) };
}

/**
 * Removes or keeps staff whom the records no longer name. Throws `teacher_not_found` or, for an operator logged in as a
 * member of staff, `not_while_impersonating`.
 */
async function decideMissingStaff(
  db: SchoolDb,
  me: StaffSession,
  sourceId: number,
  { shown, answers }: { shown: SchoolRecordsPlan; answers: SchoolRecordsAnswers },
  now: Date,
): Promise<void> {
  const removed = new Set(answers.removed_staff);
  const kept = new Set(answers.kept_staff);
  const missing = new Set(shown.missing_staff.map(({ user }) => user));
  if (![...removed, ...kept].every((id) => missing.has(id))) throw new AppError('teacher_not_found');
  if ([...removed].some((id) => kept.has(id)))
    throw fieldError('kept_staff', 'A member of staff is either removed or kept.');
  if (removed.size > 0 && me.impersonatorId !== null) throw new AppError('not_while_impersonating');
  for (const id of removed) await removeTeacher(db, me, id, now);
  if (kept.size > 0) await keepStaff(db, sourceId, [...kept], now);
}

/** Stores whom of the school's staff the records name. */
export async function storeNamedStaff(
  db: SchoolDb,
  sourceId: number,
  records: SchoolRecords,
  { staff }: SchoolState,
  now: Date,
): Promise<void> {
  const named = new Set(records.staff.map(({ email }) => emailKey(email)));
  const ids = staff.filter(({ email }) => named.has(emailKey(email))).map(({ id }) => id);
  await saveNamedStaff(db, sourceId, ids, now);
}

/**
 * Writes planned changes, whose leavers have been archived, and records what it changed. Throws `max_readers_reached`.
 * @param work.before the school before the leavers were archived
 */
export async function applyPlan(
  db: SchoolDb,
  author: ImportAuthor,
  run: OpenRun,
  work: { planned: PlannedChanges; before: SchoolState; leavers: readonly number[]; records: SchoolRecords },
  credentials: readonly Credential[],
  { now, config }: { now: Date; config: Config },
) {
  const { planned, before, leavers, records } = work;
  await assertCapacity(db, author, planned.joiners.length + planned.returners.length, now);
  await renameClasses(db, planned.renames);
  const withoutMove = planned.returners.filter(({ target }) => !target).map(({ pupilId }) => pupilId);
  if (withoutMove.length > 0) await restorePupils(db, author, withoutMove, now);
  const created = await applyImportPlan(db, author, toImport(planned, before), credentials, { now, config });
  await renamePupils(db, planned.nameChanges);
  await updateChangedYearGroups(db, planned, before, now);
  await storeLinks(db, run.source_id, planned, created, before.links, new Set(leavers));
  await storeNamedStaff(db, run.source_id, records, before, now);
  const after = await readSchool(db, run.source_id, 'none', now);
  const planDigest = digestPlan(planChanges(records, after, NO_ANSWERS).plan);
  const changes = compareSnapshots(toSnapshot(before), toSnapshot(after), now);
  await closeRun(db, run.id, { state: 'applied', by: author.userId, planDigest, ...changes }, now);
  return { counts: changes.counts, links: created.links, after };
}

/** Updates the year groups that differ from what the source states. Returns whether there were any. */
async function updateChangedYearGroups(db: SchoolDb, planned: PlannedChanges, before: SchoolState, now: Date) {
  const today = dayIn('Europe/London', now);
  const recorded = new Map(before.pupils.map((pupil) => [pupil.id, pupil.yearGroup]));
  const changed = planned.yearGroups.filter(
    ({ pupilId, yearGroup }) => yearGroupOn(recorded.get(pupilId) ?? null, today) !== yearGroup,
  );
  await updateYearGroups(db, changed, today);
  return changed.length > 0;
}

/** Stores the year groups of a plan that changes nothing else. They need no admin, and no run. */
export async function applyYearGroups(
  db: SchoolDb,
  sourceId: number,
  planned: PlannedChanges,
  before: SchoolState,
  now: Date,
): Promise<void> {
  if (await updateChangedYearGroups(db, planned, before, now))
    await storeLinks(db, sourceId, planned, { classes: new Map(), pupils: [] }, [], new Set());
}

async function storeLinks(
  db: SchoolDb,
  sourceId: number,
  planned: PlannedChanges,
  { classes, pupils }: Pick<Awaited<ReturnType<typeof applyImportPlan>>, 'classes' | 'pupils'>,
  known: readonly PupilLink[],
  leavers: ReadonlySet<number>,
): Promise<void> {
  const idOf = (target: ClassTarget) => ('id' in target ? target.id : (classes.get(target.newKey)?.id ?? 0));
  await saveClassLinks(
    db,
    sourceId,
    planned.classLinks.map(({ target, ...link }) => ({ ...link, classId: idOf(target) })),
  );
  const joinerIds = new Map(planned.joiners.map(({ sourceId: id }, index) => [id, pupils[index]?.id]));
  const links = planned.links.flatMap(({ target, pupilId, classId, ...link }): PupilLink[] => {
    const id = pupilId ?? joinerIds.get(link.sourceId);
    return id === undefined ? [] : [{ ...link, pupilId: id, classId: target ? idOf(target) : classId }];
  });
  const left = known.filter(({ pupilId }) => leavers.has(pupilId));
  await saveLinks(db, sourceId, [
    ...links,
    ...left.map((link) => ({ ...link, hasLeft: true, upn: null, birth: null })),
  ]);
}

/** A state as it is recorded. A run changes no teachers of classes. */
function toSnapshot({ pupils, classes, links }: SchoolState): Snapshot {
  const linkOf = new Map(links.map((link) => [link.pupilId, toStoredLink(link)]));
  return {
    pupils: new Map(
      pupils.map(({ id, name, classId, isArchived, yearGroup }) => [
        id,
        { name, classId, isArchived, yearGroup, link: linkOf.get(id) ?? null },
      ]),
    ),
    classes: new Map(classes.map(({ id, name }) => [id, { name, teachers: [] }])),
  };
}
