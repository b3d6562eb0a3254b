import type { AssignableRole } from '#contract/permissions.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { findMember } from './staff.queries.ts';

/**
 * A colleague whose role may be changed, with the school's row locked until the transaction ends. Throws
 * `teacher_not_found`, `not_yourself`, or `forbidden` if the caller has just been demoted. The school always keeps an
 * admin, even after simultaneous changes: the caller is still an admin and remains one.
 */
export async function getColleague(
  db: SchoolDb,
  me: StaffSession,
  userId: number,
): Promise<{ user_id: number; role: AssignableRole }> {
  await lockSchool(db);
  const colleague = await findMember(db, userId);
  if (!colleague) throw new AppError('teacher_not_found');
  if (userId === me.userId) throw new AppError('not_yourself');
  const self = await findMember(db, me.userId);
  if (self?.role !== 'admin') throw new AppError('forbidden');
  return colleague;
}
