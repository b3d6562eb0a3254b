import type { Class } from '#contract/calls/school.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { getClass } from '../classes/classes.public.ts';

/** A class whose reading the caller may see: one that they manage. Throws `class_not_found`, also for another teacher's class. */
export async function getReadingClass(db: SchoolDb, me: StaffSession, classId: number): Promise<Class> {
  const schoolClass = await getClass(db, me, classId);
  if (!schoolClass.user_manages) throw new AppError('class_not_found');
  return schoolClass;
}
