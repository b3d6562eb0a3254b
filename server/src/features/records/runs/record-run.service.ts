import { isDeepStrictEqual } from 'node:util';
import { isSameYearGroup } from '#contract/year-group.ts';
import { dayIn } from '../../../clock.ts';
import type { RunCounts } from '../../../database/column-types.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { type AppliedRun, insertAppliedRun, type NewRow } from './runs.queries.ts';
import { type Snapshot, takeSnapshot } from './snapshot.queries.ts';

/** The pupils and classes that differ between two snapshots. */
export function compareSnapshots(before: Snapshot, after: Snapshot, now: Date): { rows: NewRow[]; counts: RunCounts } {
  const today = dayIn('Europe/London', now);
  const counts = { joiners: 0, returners: 0, movers: 0, names: 0, year_groups: 0, leavers: 0, classes: 0 };
  const rows: NewRow[] = [];
  for (const [id, current] of after.pupils) {
    const then = before.pupils.get(id) ?? null;
    const isRenamed = then !== null && then.name !== current.name;
    const hasMoved = then !== null && !then.isArchived && !current.isArchived && then.classId !== current.classId;
    const hasOtherYear = then !== null && !isSameYearGroup(then.yearGroup, current.yearGroup, today);
    const isReturner = then !== null && then.isArchived && !current.isArchived;
    const isLeaver = then !== null && !then.isArchived && current.isArchived;
    const hasOtherLink =
      then?.link?.sourceId !== current.link?.sourceId || then?.link?.hasLeft !== current.link?.hasLeft;
    counts.joiners += Number(then === null);
    counts.returners += Number(isReturner);
    counts.movers += Number(hasMoved);
    counts.names += Number(isRenamed);
    counts.year_groups += Number(hasOtherYear);
    counts.leavers += Number(isLeaver);
    if (then === null || isRenamed || hasMoved || hasOtherYear || isReturner || isLeaver || hasOtherLink)
      rows.push({ pupilId: id, classId: null, content: { pupil: { before: then, after: current } } });
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
