import { isDeepStrictEqual } from 'node:util';
import { findYearGroupChange } from '#contract/year-group.ts';
import { dayIn } from '../../../clock.ts';
import type { PupilChange, RunCounts } from '../../../database/column-types.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { type AppliedRun, insertAppliedRun, type NewRow } from './runs.queries.ts';
import { type Snapshot, takeSnapshot } from './snapshot.queries.ts';

const COUNTED = ['joiners', 'returners', 'movers', 'names', 'year_groups', 'leavers'] as const;

/** In which counts of a run a pupil is, and whether their link to school records differs. */
export function comparePupil({ before, after }: PupilChange, day: string) {
  return {
    joiners: before === null,
    returners: before?.isArchived === true && !after.isArchived,
    movers: before?.isArchived === false && !after.isArchived && before.classId !== after.classId,
    names: before !== null && before.name !== after.name,
    year_groups: before !== null && findYearGroupChange(before.yearGroup, after.yearGroup, day) !== undefined,
    leavers: before?.isArchived === false && after.isArchived,
    links: before?.link?.sourceId !== after.link?.sourceId || before?.link?.hasLeft !== after.link?.hasLeft,
  };
}

/** The pupils and classes that differ between two snapshots. */
export function compareSnapshots(before: Snapshot, after: Snapshot, now: Date): { rows: NewRow[]; counts: RunCounts } {
  const today = dayIn('Europe/London', now);
  const counts = { joiners: 0, returners: 0, movers: 0, names: 0, year_groups: 0, leavers: 0, classes: 0 };
  const rows: NewRow[] = [];
  for (const [id, current] of after.pupils) {
    const pupil = { before: before.pupils.get(id) ?? null, after: current };
    const differences = comparePupil(pupil, today);
    for (const kind of COUNTED) counts[kind] += Number(differences[kind]);
    if (Object.values(differences).includes(true)) rows.push({ pupilId: id, classId: null, content: { pupil } });
  }
  for (const id of new Set([...before.classes.keys(), ...after.classes.keys()])) {
    const change = { before: before.classes.get(id) ?? null, after: after.classes.get(id) ?? null };
    if (isDeepStrictEqual(change.before, change.after)) continue;
    if (change.after) counts.classes += 1;
    rows.push({ pupilId: null, classId: id, content: { class: change } });
  }
  return { rows, counts };
}

/**
 * Stores what a list or a year end has changed since a snapshot, to undo it. Returns the ID of the run; null for a
 * list that has changed nothing. In the transaction of the change itself.
 * @param added what is not in the snapshot because it did not exist
 */
export async function recordRun(
  db: SchoolDb,
  run: AppliedRun,
  before: Snapshot,
  added: { pupils: readonly number[]; classes: readonly number[] },
  now: Date,
): Promise<number | null> {
  const after = await takeSnapshot(db, {
    pupils: [...before.pupils.keys(), ...added.pupils],
    classes: [...before.classes.keys(), ...added.classes],
  });
  const changes = compareSnapshots(before, after, now);
  return run.kind === 'list' && changes.rows.length === 0 ? null : insertAppliedRun(db, run, changes, now);
}
