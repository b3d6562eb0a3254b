import type { BodyOf } from '#contract/call.ts';
import type { teacherCalls } from '#contract/calls/teachers.ts';
import { isTeachingRole } from '#contract/permissions.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import type { StaffSession } from '../../../context.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { addClassTeachers, lockOwnClasses, updateFirstTeachers } from '../classes/classes.public.ts';
import { lockRoles } from './teachers.queries.ts';

/** A class and its new teacher. */
export type Handover = BodyOf<typeof teacherCalls.recordLeaver>['handovers'][number];

/**
 * Gives classes of someone who leaves to other teachers: a new first teacher where they were the first, otherwise a further
 * one. They stay in the classes until their membership ends. Throws `conflict` if a class is no longer theirs, or a new
 * teacher has left or no longer teaches.
 */
export async function handOverClasses(
  db: SchoolDb,
  me: StaffSession,
  leaverId: number,
  handovers: readonly Handover[],
  now: Date,
): Promise<void> {
  if (handovers.length === 0) return;
  if (handovers.some(({ user_id }) => user_id === leaverId))
    throw fieldError('handovers', 'Choose a new teacher who stays at the school.');
  // Classes before rows of the staff, as in a request that gives someone a class.
  await lockOwnClasses(db, leaverId);
  // Read again, because a class may have changed hands while its lock was awaited.
  const classes = new Map((await lockOwnClasses(db, leaverId)).map((schoolClass) => [schoolClass.id, schoolClass]));
  const roles = await lockRoles(
    db,
    handovers.map(({ user_id }) => user_id),
  );
  const changes = handovers.map(({ group_id: classId, user_id: teacherId }) => {
    const schoolClass = classes.get(classId);
    if (!schoolClass) throw new AppError('conflict', { text: CLASS_CHANGED });
    const role = roles.get(teacherId);
    if (!role || !isTeachingRole(role)) throw new AppError('conflict', { text: TEACHER_CHANGED });
    return { ...schoolClass, teacherId };
  });
  const isFirst = (change: { manager_id: number | null }) => change.manager_id === leaverId;
  await updateFirstTeachers(
    db,
    changes.filter(isFirst).map(({ id, teacherId }) => ({ id, manager_id: teacherId })),
  );
  await addClassTeachers(
    db,
    changes.filter((change) => !isFirst(change)).map(({ id, teacherId }) => ({ classId: id, userId: teacherId })),
    now,
  );
  for (const { id, name, teacherId } of changes)
    await recordChange(db, me, now, {
      action: 'teacher_assigned',
      subjectKind: 'class',
      subjectId: id,
      details: { name, teacher_id: teacherId },
    });
}

const CLASS_CHANGED =
  'A class that you hand over has been deleted or has another teacher by now, so we changed nothing. Check the classes and try again.';
const TEACHER_CHANGED =
  'A new teacher whom you chose has left or no longer teaches, so we changed nothing. Choose someone else.';
