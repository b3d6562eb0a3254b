import { roleAllows } from '#contract/permissions.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffSession } from '../../../context.ts';
import { getClassWithDetails } from '../../school/classes/classes.public.ts';
import type { Selection } from '../dashboard/dashboard.public.ts';

/**
 * The pupils whose needs the caller may see: those of a class that they can change; without a class, all of the school for
 * an admin, and those of all their classes for a teacher. Throws `class_not_found` as `getClassWithDetails` does.
 */
export async function getSelection(db: SchoolDb, me: StaffSession, classId: number | undefined): Promise<Selection> {
  if (classId !== undefined) return { classId: (await getClassWithDetails(db, me, classId)).id };
  return roleAllows(me.role, 'edit_school') ? 'school' : { teacherId: me.userId };
}
