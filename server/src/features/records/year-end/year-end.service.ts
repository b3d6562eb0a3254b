import type { YearEndStep } from '#contract/calls/year-end.ts';
import { moveUpTo, yearEndSince } from '#contract/year-group.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { dayIn } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { staffRows } from '../../accounts/access/access.public.ts';
import { archivePupils } from '../../school/archive/archive.public.ts';
import { classKey, deleteClass, renameClasses, updateFirstTeachers } from '../../school/classes/classes.public.ts';
import { changeYearGroupsOfClasses } from '../../school/pupils/pupils.public.ts';
import { findYearEnd, readClasses, recordRun, takeSnapshot } from '../runs/runs.public.ts';
import { listPupilsOf } from './year-end.queries.ts';

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
 * Moves classes and their pupils’ year groups up, and archives the leavers, all or nothing. It is a run, which can be
 * undone while its leavers are in the archive. Of two concurrent calls the second throws `year_end_applied`.
 * Throws `year_end_applied`, `year_end_outdated`, `class_not_found`, `class_name_taken`, `teacher_not_found`.
 */
export async function applyYearEnd(
  db: SchoolDb,
  me: StaffSession,
  steps: readonly YearEndStep[],
  now: Date,
): Promise<void> {
  await lockSchool(db);
  if (await findYearEnd(db, now)) throw new AppError('year_end_applied');
  const classes = await readClasses(db, 'update');
  const byId = new Map(classes.map((schoolClass) => [schoolClass.id, schoolClass]));
  const staff = new Set((await staffRows(db).execute()).map(({ user_id }) => user_id));
  const moving: { id: number; name: string; manager_id: number | null }[] = [];
  const leaving = new Map<number, string>();
  for (const step of steps) {
    const schoolClass = byId.get(step.group_id);
    if (!schoolClass) throw new AppError('class_not_found');
    if (schoolClass.name !== step.from)
      throw new AppError('year_end_outdated', {
        text: `${step.from} is now called ${schoolClass.name}, because a colleague renamed it. Nothing has changed. Reload the page.`,
      });
    if (step.step === 'leaves') leaving.set(schoolClass.id, schoolClass.name);
    else {
      if (step.manager_id !== null && !staff.has(step.manager_id)) throw new AppError('teacher_not_found');
      moving.push({ id: schoolClass.id, name: step.name, manager_id: step.manager_id });
    }
  }
  const newNames = new Map(moving.map(({ id, name }) => [id, name]));
  assertNames(classes.filter(({ id }) => !leaving.has(id)).map(({ id, name }) => newNames.get(id) ?? name));

  const classIds = steps.map((step) => step.group_id);
  const pupils = await listPupilsOf(db, classIds);
  const before = await takeSnapshot(db, { pupils: pupils.map(({ id }) => id), classes: classIds });
  const leavers = pupils.flatMap(({ id, class_id }) => (class_id !== null && leaving.has(class_id) ? [id] : []));
  if (leavers.length > 0) await archivePupils(db, me, leavers, now);
  for (const id of leaving.keys()) await deleteClass(db, id, me.userId, now);
  await renameClasses(db, moving);
  await updateFirstTeachers(db, moving);
  const since = yearEndSince(dayIn('Europe/London', now));
  await changeYearGroupsOfClasses(
    db,
    moving.map(({ id }) => id),
    (recorded) => moveUpTo(recorded, since),
  );
  await recordRun(db, { kind: 'year_end', by: me.userId }, before, { pupils: [], classes: [] }, now);
  await recordChange(db, me, now, {
    action: 'year_end_applied',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { classes: moving.length, left: [...leaving.values()] },
  });
}
