import type { SKIP_REASONS } from '#contract/calls/school-records.ts';
import { isDeepStrictEqual } from 'node:util';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import type { PupilValues } from '../../../database/column-types.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { classKey, renameClasses } from '../../school/classes/classes.public.ts';
import { archivePupils, restorePupils } from '../../school/archive/archive.public.ts';
import { assertCapacity, saveYearGroups, setClassOfEachPupil } from '../../school/pupils/pupils.public.ts';
import {
  deleteClasses,
  deleteLinks,
  findRun,
  isUnchanged,
  listPupilsWhoRead,
  listRows,
  listSources,
  listUnusedClasses,
  markUndone,
  readState,
  renamePupils,
  type RunRow,
  saveClassLinks,
  saveLinks,
} from './school-records.queries.ts';
import type { PupilLink, SchoolState } from './state.service.ts';
import { RUN_MS } from './runs.service.ts';

/*
 * Undoing a run, up to 30 days later, when people have worked with what it changed. What can go wrong:
 *
 * - Newer work is lost. A pupil or a class is changed back only if it is still as the run left it. Otherwise it is
 *   skipped and listed in the result, which tells the admin what to do by hand.
 * - A child is deleted. A pupil whom the run added goes to the archive, and not even there once they have read. The
 *   link to the source remains, marked as left, so that a later run restores the same pupil. Erased pupils have no
 *   row, and nothing recreates them.
 * - A pupil returns to what no longer exists. The former class must still exist. The former ID in the source must not
 *   belong to another child by now.
 * - There are more pupils than places. Pupils go to the archive first, then the capacity is checked for all who
 *   return, and the undo fails as a whole if it is short.
 * - A class disappears with its contents. Only classes that the run created, and that have no pupils, books or
 *   teachers since, are deleted. Pupils archived by this undo do not count.
 * - Two classes have the same name. Names are given back all or none, because two classes may have exchanged theirs.
 * - Two people undo at once, or a check runs meanwhile. The school is locked first, and the second undo finds the run
 *   undone.
 */

type State = Omit<SchoolState, 'staffEmails' | 'isLeavingSeason'>;

interface PupilChange {
  id: number;
  before: PupilValues | null;
  after: PupilValues;
}

interface ClassChange {
  id: number;
  from: string | null;
  to: string;
}

type SkipReason = (typeof SKIP_REASONS)[number];

/** A pupil, or a class without `pupil`, that was not undone. */
interface SkippedItem {
  pupil: number | null;
  name: string;
  reason: SkipReason;
}

/** The deadline for undoing a run; undefined when it cannot be undone. */
export function findUndoDeadline({ state, closed_at }: RunRow, now: Date): Date | undefined {
  const until = state === 'applied' && closed_at ? closed_at.getTime() + RUN_MS : 0;
  return until > now.getTime() ? new Date(until) : undefined;
}

/** Undoes a run. Returns what it skips, and why. Throws `not_found`, `max_readers_reached`. */
export async function undoRun(db: SchoolDb, me: StaffSession, runId: number, now: Date): Promise<SkippedItem[]> {
  await lockSchool(db);
  const run = await findRun(db, runId);
  if (!run || !findUndoDeadline(run, now)) throw new AppError('not_found');
  const rows = await listRows(db, runId);
  const pupils = rows.flatMap(({ pupil_id, content }): PupilChange[] =>
    pupil_id !== null && 'before' in content ? [{ id: pupil_id, ...content }] : [],
  );
  const classes = rows.flatMap(({ class_id, content }): ClassChange[] =>
    class_id !== null && 'to' in content ? [{ id: class_id, ...content }] : [],
  );
  const state = await readState(db, run.source_id, 'update');
  const active = new Set(state.pupils.flatMap(({ id, isArchived }) => (isArchived ? [] : [id])));
  const archived = pupils.flatMap(({ id }) => (active.has(id) ? [id] : []));
  const skipped = [
    ...(await undoPupils(db, me, run.source_id, pupils, state, now)),
    ...(await undoClasses(db, run.source_id, classes, state, archived)),
  ];
  await markUndone(db, runId);
  await recordChange(db, me, now, {
    action: 'school_records_undone',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { run: runId, skipped: skipped.length },
  });
  return skipped;
}

async function undoPupils(
  db: SchoolDb,
  me: StaffSession,
  sourceId: number,
  changes: readonly PupilChange[],
  state: State,
  now: Date,
): Promise<SkippedItem[]> {
  const current = new Map(state.pupils.map((pupil) => [pupil.id, pupil]));
  const classIds = new Set<number | null>([null, ...state.classes.map(({ id }) => id)]);
  const added = changes.filter(({ before }) => before === null).map(({ id }) => id);
  const haveRead = await listPupilsWhoRead(db, added);
  const owners = new Map(state.links.map(({ sourceId: externalId, pupilId }) => [externalId, pupilId]));
  const skipped: SkippedItem[] = [];
  const undone = changes.filter(({ id, before, after }) => {
    const pupil = current.get(id);
    if (!pupil) return false;
    const findReason = (): SkipReason | undefined => {
      if (!isUnchanged(pupil, after)) return 'changed';
      if (before === null) return haveRead.has(id) ? 'has_read' : undefined;
      if (!before.isArchived && !classIds.has(before.classId)) return 'class_deleted';
      // The source may have given the ID to another child since.
      return before.link && (owners.get(before.link.sourceId) ?? id) !== id ? 'id_taken' : undefined;
    };
    const reason = findReason();
    if (reason) skipped.push({ pupil: id, name: pupil.name, reason });
    return !reason;
  });
  const leaving = undone.filter(({ before, after }) => !after.isArchived && (before?.isArchived ?? true));
  if (leaving.length > 0)
    await archivePupils(
      db,
      me,
      leaving.map(({ id }) => id),
      now,
    );
  const returning = undone.filter(({ before, after }) => after.isArchived && before?.isArchived === false);
  await assertCapacity(db, me, returning.length, now);
  if (returning.length > 0)
    await restorePupils(
      db,
      me,
      returning.map(({ id }) => id),
      now,
    );
  await setClassOfEachPupil(
    db,
    undone.flatMap(({ id, before }) => (before && !before.isArchived ? [{ id, class_id: before.classId }] : [])),
  );
  await renamePupils(
    db,
    undone.flatMap(({ id, before, after }) =>
      before && before.name !== after.name ? [{ pupilId: id, name: before.name }] : [],
    ),
  );
  await saveYearGroups(
    db,
    undone.flatMap(({ id, before, after }) =>
      before && isDeepStrictEqual(current.get(id)?.yearGroup, after.yearGroup)
        ? [{ pupilId: id, yearGroup: before.yearGroup }]
        : [],
    ),
  );
  await undoLinks(db, sourceId, undone, state);
  return skipped;
}

/** Gives pupils their former links. */
async function undoLinks(db: SchoolDb, sourceId: number, undone: readonly PupilChange[], state: State): Promise<void> {
  const sources = await listSources(db);
  if (!sources.some(({ id }) => id === sourceId)) return;
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
}

async function undoClasses(
  db: SchoolDb,
  sourceId: number,
  changes: readonly ClassChange[],
  state: State,
  archived: readonly number[],
): Promise<SkippedItem[]> {
  const names = new Map(state.classes.map(({ id, name }) => [id, name]));
  const unchanged = changes.filter(({ id, to }) => names.get(id) === to);
  const unused = await listUnusedClasses(
    db,
    unchanged.filter(({ from }) => from === null).map(({ id }) => id),
    archived,
  );
  await deleteClasses(db, unused);
  for (const id of unused) names.delete(id);
  const renamed = unchanged.flatMap(({ id, from }) => (from === null ? [] : [{ id, name: from }]));
  for (const { id } of renamed) names.delete(id);
  const taken = new Set([...names.values()].map(classKey));
  const free = renamed.filter(({ name }) => !taken.has(classKey(name)));
  // All or none: two classes may have exchanged their names.
  const former = free.length === renamed.length ? renamed : [];
  await renameClasses(db, former);
  const links = new Map(state.classLinks.map((link) => [link.classId, link]));
  await saveClassLinks(
    db,
    sourceId,
    former.flatMap(({ id, name }) => {
      const link = links.get(id);
      return link ? [{ ...link, name }] : [];
    }),
  );
  const current = new Map(state.classes.map(({ id, name }) => [id, name]));
  const undone = new Set([...unused, ...former.map(({ id }) => id)]);
  return changes.flatMap(({ id, from, to }): SkippedItem[] => {
    const name = current.get(id);
    if (name === undefined || undone.has(id)) return [];
    if (name !== to) return [{ pupil: null, name, reason: 'changed' }];
    return [{ pupil: null, name, reason: from === null ? 'class_used' : 'name_taken' }];
  });
}
