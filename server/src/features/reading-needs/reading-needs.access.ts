import type { Class } from '#contract/calls/school.ts';
import { roleAllows } from '#contract/permissions.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { getClass } from '../classes/classes.public.ts';
import type { Selection } from '../dashboard/dashboard.public.ts';

/** A class whose reading a person sees: one that they manage. Throws `class_not_found`, also for a class of another teacher. */
export async function getReadingClass(db: SchoolDb, me: StaffSession, classId: number): Promise<Class> {
  const schoolClass = await getClass(db, me, classId);
  if (!schoolClass.user_manages) throw new AppError('class_not_found');
  return schoolClass;
}

/**
 * The pupils whose reading a person sees: those of a class that they manage, or all of the school; a teacher, who sees
 * the own classes alone, those of all of them. Throws `class_not_found` as `getReadingClass` does.
 */
export async function getSelection(db: SchoolDb, me: StaffSession, classId: number | undefined): Promise<Selection> {
  if (classId !== undefined) return { classId: (await getReadingClass(db, me, classId)).id };
  return roleAllows(me.role, 'edit_school') ? 'school' : { teacherId: me.userId };
}
