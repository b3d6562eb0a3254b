import { isDeepStrictEqual } from 'node:util';
import type { Run, SKIP_REASONS, UndoPlan } from '#contract/calls/runs.ts';
import type { RecordedYearGroup } from '#contract/year-group.ts';
import type { ClassChange, PupilChange, PupilValues } from '../../../database/column-types.ts';
import { classKey } from '../../school/classes/classes.public.ts';
import type { PupilLink } from './links.queries.ts';

/** What a run changed, and the school as it is now. Pupils erased since are in neither. */
export interface UndoState {
  kind: Run['kind'];
  /** When the run was applied. */
  appliedAt: Date;
  changedPupils: readonly ({ id: number } & PupilChange)[];
  changedClasses: readonly ({ id: number } & ClassChange)[];
  /** The changed pupils, and all who are in a class that the run created, or would return to it from the archive. */
  pupils: readonly {
    id: number;
    name: string;
    classId: number | null;
    isArchived: boolean;
    archivedFrom: number | null;
    yearGroup: RecordedYearGroup | null;
    lastReadAt: Date | null;
    canChange: boolean;
  }[];
  classes: readonly { id: number; name: string; teachers: readonly number[] }[];
  /** Classes that have books. */
  classesWithBooks: ReadonlySet<number>;
  /** Deleted classes that can be restored. */
  deletedClasses: ReadonlySet<number>;
  staff: ReadonlySet<number>;
  /** The links of the run's source. */
  links: readonly PupilLink[];
  /** Pupils whom other sources keep up to date. */
  linkedElsewhere: ReadonlySet<number>;
}

type SkipReason = (typeof SKIP_REASONS)[number];

/** What an undo does, in the order in which it can be done. */
export interface UndoSteps {
  archived: number[];
  deletedClasses: number[];
  renamedClasses: { id: number; name: string }[];
  restoredClasses: number[];
  teachers: { id: number; teachers: number[] }[];
  restored: number[];
  moves: { id: number; class_id: number | null }[];
  names: { pupilId: number; name: string }[];
  yearGroups: { pupilId: number; yearGroup: RecordedYearGroup | null }[];
  /** Pupils who get back their former link. */
  undone: ({ id: number } & PupilChange)[];
  skipped: UndoPlan['skipped'];
  /** The former name of a class that another class has now; undefined if all are free. */
  takenName: string | undefined;
}

const isSame = (some: readonly number[], others: readonly number[]): boolean =>
  isDeepStrictEqual(some.toSorted(), others.toSorted());

const changesPlace = ({ before, after }: PupilChange): boolean =>
  before === null || before.isArchived !== after.isArchived || before.classId !== after.classId;

const goesToArchive = ({ before, after }: PupilChange): boolean => !after.isArchived && (before?.isArchived ?? true);

/** Whether a pupil is where the run left them. */
const isInPlace = (now: Pick<PupilValues, 'isArchived' | 'classId'>, after: PupilValues): boolean =>
  now.isArchived === after.isArchived && (now.isArchived || now.classId === after.classId);

/** Decides what an undo does and what it skips. */
export function planUndo(state: UndoState): UndoSteps {
  const classes = new Map(state.classes.map((schoolClass) => [schoolClass.id, schoolClass]));
  const pupils = new Map(state.pupils.map((pupil) => [pupil.id, pupil]));
  const restoredClasses = state.changedClasses.flatMap(({ id, before, after }) =>
    before && !after && !classes.has(id) && state.deletedClasses.has(id) ? [{ id, name: before.name }] : [],
  );
  const findReason = createPupilCheck(state, new Set([...classes.keys(), ...restoredClasses.map(({ id }) => id)]));
  const skipped: UndoPlan['skipped'] = [];
  const undone = state.changedPupils.filter((change) => {
    const pupil = pupils.get(change.id);
    if (!pupil) return false;
    const reason = findReason(pupil, change);
    if (reason) skipped.push({ pupil: pupil.id, name: pupil.name, reason });
    return !reason;
  });
  const undoneClasses = planClasses(state, restoredClasses, new Set(undone.filter(changesPlace).map(({ id }) => id)));
  return {
    archived: undone.filter(goesToArchive).map(({ id }) => id),
    restored: undone.flatMap(({ id, before, after }) => (before?.isArchived === false && after.isArchived ? [id] : [])),
    moves: undone.flatMap((change) =>
      change.before && !change.before.isArchived && changesPlace(change)
        ? [{ id: change.id, class_id: change.before.classId }]
        : [],
    ),
    names: undone.flatMap(({ id, before, after }) =>
      before && before.name !== after.name ? [{ pupilId: id, name: before.name }] : [],
    ),
    yearGroups: undone.flatMap(({ id, before, after }) =>
      before &&
      !isDeepStrictEqual(before.yearGroup, after.yearGroup) &&
      isDeepStrictEqual(pupils.get(id)?.yearGroup, after.yearGroup)
        ? [{ pupilId: id, yearGroup: before.yearGroup }]
        : [],
    ),
    undone,
    restoredClasses: restoredClasses.map(({ id }) => id),
    ...undoneClasses,
    skipped: [...skipped, ...undoneClasses.skipped],
  };
}

/** Returns a function that says why a pupil stays as they are now; undefined for a pupil who is undone. */
function createPupilCheck(state: UndoState, classIds: ReadonlySet<number>) {
  // The source may have given a former ID to another child since.
  const owners = new Map(state.links.map(({ sourceId, pupilId }) => [sourceId, pupilId]));
  const hasRead = ({ lastReadAt }: UndoState['pupils'][number], before: PupilValues | null) =>
    lastReadAt !== null && (before === null || lastReadAt > state.appliedAt);
  return (pupil: UndoState['pupils'][number], change: PupilChange): SkipReason | undefined => {
    const { before, after } = change;
    const isAdded = before === null;
    const isRenamed = isAdded || before.name !== after.name;
    const hasMoved = changesPlace(change);
    if ((isRenamed && pupil.name !== after.name) || (hasMoved && !isInPlace(pupil, after))) return 'changed';
    const isYearAlone = !isRenamed && !hasMoved && !isDeepStrictEqual(before.yearGroup, after.yearGroup);
    if (isYearAlone && !isDeepStrictEqual(pupil.yearGroup, after.yearGroup)) return 'changed';
    if (isAdded && state.linkedElsewhere.has(pupil.id)) return 'changed';
    if (!pupil.canChange) return 'not_managed';
    if (goesToArchive(change) && hasRead(pupil, before)) return 'has_read';
    if (isAdded) return undefined;
    const isClassGone = !before.isArchived && before.classId !== null && !classIds.has(before.classId);
    if (hasMoved && isClassGone) return 'class_deleted';
    return before.link && (owners.get(before.link.sourceId) ?? pupil.id) !== pupil.id ? 'id_taken' : undefined;
  };
}

/**
 * Plans the classes.
 * @param leaving pupils who are not where they are now after the undo
 */
function planClasses(
  state: UndoState,
  restored: readonly { id: number; name: string }[],
  leaving: ReadonlySet<number>,
): Pick<UndoSteps, 'deletedClasses' | 'renamedClasses' | 'teachers' | 'skipped' | 'takenName'> {
  const classes = new Map(state.classes.map((schoolClass) => [schoolClass.id, schoolClass]));
  const inUse = new Set([
    ...state.classesWithBooks,
    ...state.pupils
      .filter(({ id }) => !leaving.has(id))
      .flatMap(({ classId, archivedFrom }) => [classId, archivedFrom]),
  ]);
  const ofStaff = (teachers: readonly number[]) => teachers.filter((id) => state.staff.has(id));
  const deletedClasses: number[] = [];
  const renamed: { id: number; name: string }[] = [];
  const teachers: UndoSteps['teachers'] = [];
  const skipped: UndoPlan['skipped'] = [];
  for (const { id, before, after } of state.changedClasses) {
    const current = classes.get(id);
    if (!current || !after) continue;
    const skip = (reason: SkipReason) => skipped.push({ pupil: null, name: current.name, reason });
    if (!before) {
      const isUsed = inUse.has(id) || current.teachers.some((teacher) => !after.teachers.includes(teacher));
      if (current.name !== after.name) skip('changed');
      else if (isUsed) skip('class_used');
      else deletedClasses.push(id);
      continue;
    }
    const isRenamed = before.name !== after.name;
    const hasOtherTeachers = !isSame(before.teachers, after.teachers);
    const areTeachersKept = isSame(current.teachers, ofStaff(after.teachers));
    if ((isRenamed && current.name !== after.name) || (hasOtherTeachers && !areTeachersKept)) skip('changed');
    if (isRenamed && current.name === after.name) renamed.push({ id, name: before.name });
    if (hasOtherTeachers && areTeachersKept) teachers.push({ id, teachers: ofStaff(before.teachers) });
  }
  const changing = new Set([...deletedClasses, ...renamed.map(({ id }) => id)]);
  const taken = new Set(state.classes.filter(({ id }) => !changing.has(id)).map(({ name }) => classKey(name)));
  const takenName = [...renamed, ...restored].find(({ name }) => taken.has(classKey(name)))?.name;
  if (takenName === undefined || state.kind === 'year_end')
    return { deletedClasses, renamedClasses: renamed, teachers, skipped, takenName };
  // All or none: two classes may have exchanged their names.
  for (const { id } of renamed) skipped.push({ pupil: null, name: classes.get(id)?.name ?? '', reason: 'name_taken' });
  return { deletedClasses, renamedClasses: [], teachers, skipped, takenName: undefined };
}
