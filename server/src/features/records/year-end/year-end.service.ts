import type { YearEndStep } from '#contract/calls/year-end.ts';
import { moveDownFrom, moveUpTo, yearEndSince } from '#contract/year-group.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { DAY_MS, dayIn } from '../../../clock.ts';
import type { YearEndRecord } from '../../../database/column-types.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { archivePupils, restorePupils } from '../../school/archive/archive.public.ts';
import { addClassTeachers, classKey } from '../../school/classes/classes.public.ts';
import { assertCapacity, changeYearGroupsOfClasses } from '../../school/pupils/pupils.public.ts';
import {
  findYearEnd,
  insertYearEnd,
  listArchivedAmong,
  listStaffIds,
  lockClasses,
  markUndone,
  recreateClasses,
  deleteClasses,
  updateClasses,
} from './year-end.queries.ts';

/** A year end can be undone while its leavers are in the archive. */
export const UNDO_MS = 30 * DAY_MS;

const undoableSince = (now: Date) => new Date(now.getTime() - UNDO_MS);

/** The year end that can still be undone. */
export const findUndoable = (db: SchoolDb, now: Date) => findYearEnd(db, undoableSince(now));

/** Throws `class_name_taken` if two classes would have the same name. */
function assertNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(classKey(name)))
      throw new AppError('class_name_taken', {
        text: `Two classes would be called ${name}. Choose another name for one of them.`,
      });
    seen.add(classKey(name));
  }
}

/**
 * Moves classes and their pupils’ year groups up and archives the leavers, all or nothing. Of two concurrent calls the second throws `year_end_applied`.
 * Throws `year_end_applied`, `year_end_outdated`, `class_not_found`, `class_name_taken`, `teacher_not_found`.
 */
export async function applyYearEnd(
  db: SchoolDb,
  me: StaffSession,
  steps: readonly YearEndStep[],
  now: Date,
): Promise<number> {
  await lockSchool(db);
  if (await findUndoable(db, now)) throw new AppError('year_end_applied');
  const classes = await lockClasses(db);
  const byId = new Map(classes.map((schoolClass) => [schoolClass.id, schoolClass]));
  const staff = await listStaffIds(db);
  const record: YearEndRecord = { moved: [], left: [] };
  for (const step of steps) {
    const schoolClass = byId.get(step.group_id);
    if (!schoolClass) throw new AppError('class_not_found');
    if (schoolClass.name !== step.from)
      throw new AppError('year_end_outdated', {
        text: `${step.from} is now called ${schoolClass.name}, because a colleague renamed it. Nothing has changed. Reload the page.`,
      });
    const { id, name, manager_id, further, pupils, books } = schoolClass;
    if (step.step === 'leaves') record.left.push({ id, name, manager_id, further, pupils, books });
    else {
      if (step.manager_id !== null && !staff.has(step.manager_id)) throw new AppError('teacher_not_found');
      record.moved.push({
        id,
        from: { name, manager_id, further },
        to: { name: step.name, manager_id: step.manager_id },
      });
    }
  }
  const leaving = new Set(record.left.map(({ id }) => id));
  const newNames = new Map(record.moved.map(({ id, to }) => [id, to.name]));
  assertNames(classes.filter(({ id }) => !leaving.has(id)).map(({ id, name }) => newNames.get(id) ?? name));

  const leavers = record.left.flatMap(({ pupils }) => pupils);
  if (leavers.length > 0) await archivePupils(db, me, leavers, now);
  await deleteClasses(db, [...leaving]);
  await updateClasses(
    db,
    record.moved.map(({ id, to }) => ({ id, ...to })),
  );
  const since = yearEndSince(dayIn('Europe/London', now));
  await changeYearGroupsOfClasses(
    db,
    record.moved.map(({ id }) => id),
    (recorded) => moveUpTo(recorded, since),
  );
  const yearEndId = await insertYearEnd(db, me.userId, record, now);
  await recordChange(db, me, now, {
    action: 'year_end_applied',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { classes: record.moved.length, left: record.left.map(({ name }) => name) },
  });
  return yearEndId;
}

/**
 * Undoes a year end. Skips classes deleted since, and leavers who were erased or restored since; pupils added since
 * stay where they are.
 * Throws `not_found`, `class_name_taken`, `max_readers_reached`.
 */
export async function undoYearEnd(db: SchoolDb, me: StaffSession, yearEndId: number, now: Date): Promise<void> {
  await lockSchool(db);
  const yearEnd = await findUndoable(db, now);
  if (yearEnd?.id !== yearEndId) throw new AppError('not_found');
  const { moved, left } = yearEnd.record;
  const classes = await lockClasses(db);
  const staff = await listStaffIds(db);
  const toManagerId = (managerId: number | null) => (managerId !== null && staff.has(managerId) ? managerId : null);
  const existingIds = new Set(classes.map(({ id }) => id));
  const renamed = moved
    .filter(({ id }) => existingIds.has(id))
    .map(({ id, from }) => ({ ...from, id, manager_id: toManagerId(from.manager_id) }));
  const recreated = left
    .filter(({ id }) => !existingIds.has(id))
    .map((schoolClass) => ({ ...schoolClass, manager_id: toManagerId(schoolClass.manager_id) }));
  const formerNames = new Map(renamed.map(({ id, name }) => [id, name]));
  assertNames([...classes.map(({ id, name }) => formerNames.get(id) ?? name), ...recreated.map(({ name }) => name)]);

  const leavers = await listArchivedAmong(
    db,
    left.flatMap(({ pupils }) => pupils),
  );
  await assertCapacity(db, me, leavers.length, now);
  await updateClasses(db, renamed);
  const since = yearEndSince(dayIn('Europe/London', yearEnd.applied_at));
  await changeYearGroupsOfClasses(
    db,
    renamed.map(({ id }) => id),
    (recorded) => moveDownFrom(recorded, since),
  );
  await recreateClasses(db, recreated, now);
  const further = [...renamed, ...recreated].flatMap(({ id, further: userIds = [] }) =>
    userIds.filter((userId) => staff.has(userId)).map((userId) => ({ classId: id, userId })),
  );
  await addClassTeachers(db, further, now);
  if (leavers.length > 0) await restorePupils(db, me, leavers, now);
  await markUndone(db, yearEndId, now);
  await recordChange(db, me, now, { action: 'year_end_undone', subjectKind: 'school', subjectId: db.schoolId });
}
