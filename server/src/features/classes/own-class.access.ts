import type { Class } from '#contract/calls/school.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { findClass, lockClass } from './classes.queries.ts';

/** A class that the person may see: every one of the own school. Throws `class_not_found`. */
export async function getClass(db: SchoolDb, me: StaffSession, classId: number): Promise<Class> {
  const group = await findClass(db, me, classId);
  if (!group) throw new AppError('class_not_found');
  return group;
}

/**
 * A class that the person may change, held still until the transaction ends.
 * Throws `class_not_found`, or `class_not_managed` for a class that somebody else manages.
 */
export async function getOwnClass(db: SchoolDb, me: StaffSession, classId: number): Promise<Class> {
  if (!(await lockClass(db, classId))) throw new AppError('class_not_found');
  const group = await getClass(db, me, classId);
  if (!group.user_manages)
    throw new AppError('class_not_managed', {
      text: `You do not manage ${group.name}. Ask its teacher or an administrator of your school.`,
    });
  return group;
}
