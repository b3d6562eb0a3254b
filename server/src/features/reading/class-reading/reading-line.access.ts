import { roleAllows } from '#contract/permissions.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffSession } from '../../../context.ts';
import { getClass } from '../../school/classes/classes.public.ts';
import type { Selection } from '../dashboard/dashboard.public.ts';

/** The pupils of the reading line: a class, as in the charts open to all staff; without one, the caller's own or the whole school. */
export async function getLineSelection(
  db: SchoolDb,
  me: StaffSession,
  classId: number | undefined,
): Promise<Exclude<Selection, { pupilId: number }>> {
  if (classId !== undefined) return { classId: (await getClass(db, me, classId)).id };
  return roleAllows(me.role, 'edit_school') ? 'school' : { teacherId: me.userId };
}
