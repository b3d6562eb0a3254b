import type { UndoPlan } from '#contract/calls/runs.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { archivePupils, restorePupils } from '../../school/archive/archive.public.ts';
import {
  addClassTeachers,
  deleteUnusedClasses,
  renameClasses,
  restoreDeletedClass,
  updateFirstTeachers,
} from '../../school/classes/classes.public.ts';
import {
  assertCapacity,
  renamePupils,
  saveYearGroups,
  setClassOfEachPupil,
  setClassOfPupils,
} from '../../school/pupils/pupils.public.ts';
import { deleteLinks, hasSource, listClassLinks, type PupilLink, saveClassLinks, saveLinks } from './links.queries.ts';
import { findVisibleRun, markUndone, RUN_MS, type RunRow } from './runs.queries.ts';
import { planUndo, type UndoState, type UndoSteps } from './undo-plan.service.ts';
import { readUndoState } from './undo-state.queries.ts';

/*
 * Undoing a run, up to 30 days later, when people have worked with what it changed. What can go wrong:
 *
 * - Newer work is lost. A value is changed back only if it is still as the run left it. Otherwise the pupil or class is
 *   skipped and listed in the result, which tells the user what to do by hand.
 * - A child is deleted. A pupil whom the run added goes to the archive, and not even there once they have read. The
 *   link to the source remains, marked as left, so that a later run restores the same pupil. Erased pupils have no
 *   row, and nothing recreates them.
 * - A teacher reaches pupils of others. A teacher undoes only lists of their own, and of these only pupils whom they can
 *   still change.
 * - A pupil returns to what no longer exists. The former class must still exist. The former ID in the source must not
 *   belong to another child by now.
 * - There are more pupils than places. Pupils go to the archive first, then the capacity is checked for all who
 *   return, and the undo fails as a whole if it is short.
 * - A class disappears with its contents. Only classes that the run created, and that have no pupils, books or
 *   further teachers since, are deleted. Pupils archived by this undo do not count.
 * - Two classes have the same name. Names are given back all or none, because two classes may have exchanged theirs. A
 *   year end is then not undone at all, because its leavers would have no class.
 * - Two people undo at once, or a check runs meanwhile. The school is locked first, and the second undo finds the run
 *   undone.
 */

const ACTIONS = {
  oneroster: 'school_records_undone',
  ctf: 'school_records_undone',
  atf: 'school_records_undone',
  list: 'pupil_list_undone',
  year_end: 'year_end_undone',
} as const satisfies Record<RunRow['kind'], string>;

/** The deadline for undoing a run; undefined when it cannot be undone. */
export function findUndoDeadline({ state, closed_at }: RunRow, now: Date): Date | undefined {
  const until = state === 'applied' && closed_at ? closed_at.getTime() + RUN_MS : 0;
  return until > now.getTime() ? new Date(until) : undefined;
}

/** What undoing a run would do now; null when it cannot be undone. */
export async function previewUndo(db: SchoolDb, me: StaffSession, run: RunRow, now: Date): Promise<UndoPlan | null> {
  if (!findUndoDeadline(run, now)) return null;
  const steps = planUndo(await readUndoState(db, me, run, 'none'));
  const changedClasses = new Set([...steps.renamedClasses, ...steps.teachers].map(({ id }) => id));
  const restored = new Set(steps.restored);
  return {
    archived: steps.archived.length,
    restored: steps.restored.length,
    moved: steps.moves.filter(({ id }) => !restored.has(id)).length,
    renamed: steps.names.length,
    year_groups: steps.yearGroups.length,
    classes_deleted: steps.deletedClasses.length,
    classes_restored: steps.restoredClasses.length,
    classes_changed: changedClasses.size,
    skipped: steps.skipped,
  };
}

/**
 * Undoes a run. Returns what it skips, and why. Throws `not_found`, `max_readers_reached` and, for a year end,
 * `class_name_taken`.
 */
export async function undoRun(db: SchoolDb, me: StaffSession, runId: number, now: Date): Promise<UndoPlan['skipped']> {
  await lockSchool(db);
  const run = await findVisibleRun(db, me, runId);
  if (!run || !findUndoDeadline(run, now)) throw new AppError('not_found');
  const state = await readUndoState(db, me, run, 'update');
  const steps = planUndo(state);
  if (steps.takenName !== undefined)
    throw new AppError('class_name_taken', {
      text: `Two classes would be called ${steps.takenName}. First undo the list or school records that added one of them, or choose another name for it.`,
    });
  await applyUndo(db, me, steps, now);
  if (run.source_id !== null) await undoLinks(db, run.source_id, steps, state);
  await markUndone(db, runId);
  await recordChange(db, me, now, {
    action: ACTIONS[run.kind],
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { run: runId, skipped: steps.skipped.length },
  });
  return steps.skipped;
}

async function applyUndo(db: SchoolDb, me: StaffSession, steps: UndoSteps, now: Date): Promise<void> {
  if (steps.archived.length > 0) await archivePupils(db, me, steps.archived, now);
  await setClassOfPupils(
    db,
    null,
    steps.moves.map(({ id }) => id),
  );
  await deleteUnusedClasses(db, steps.deletedClasses);
  await renameClasses(db, steps.renamedClasses);
  for (const id of steps.restoredClasses) await restoreDeletedClass(db, me, id, now);
  await updateFirstTeachers(
    db,
    steps.teachers.map(({ id, teachers: [first = null] }) => ({ id, manager_id: first })),
  );
  await addClassTeachers(
    db,
    steps.teachers.flatMap(({ id, teachers }) => teachers.slice(1).map((userId) => ({ classId: id, userId }))),
    now,
  );
  await assertCapacity(db, me, steps.restored.length, now);
  if (steps.restored.length > 0) await restorePupils(db, me, steps.restored, now);
  await setClassOfEachPupil(db, steps.moves);
  await renamePupils(db, steps.names);
  await saveYearGroups(db, steps.yearGroups);
}

/** Gives pupils and classes their former links. Without their source there are none. */
async function undoLinks(
  db: SchoolDb,
  sourceId: number,
  { undone, renamedClasses }: UndoSteps,
  state: UndoState,
): Promise<void> {
  if (!(await hasSource(db, sourceId))) return;
  const current = new Map(state.links.map((link) => [link.pupilId, link]));
  await deleteLinks(
    db,
    sourceId,
    undone.map(({ id }) => id),
  );
  const links = undone.flatMap(({ id, before, after }): PupilLink[] => {
    const former = before ? before.link : after.link && { ...after.link, hasLeft: true };
    if (!former) return [];
    const isHere = !former.hasLeft;
    const { upn = null, birth = null } = current.get(id) ?? {};
    return [{ ...former, pupilId: id, upn: isHere ? upn : null, birth: isHere ? birth : null }];
  });
  await saveLinks(db, sourceId, links);
  const { classLinks } = await listClassLinks(db, sourceId);
  const formerNames = new Map(renamedClasses.map(({ id, name }) => [id, name]));
  await saveClassLinks(
    db,
    sourceId,
    classLinks.flatMap((link) => {
      const name = formerNames.get(link.classId);
      return name === undefined ? [] : [{ ...link, name }];
    }),
  );
}
