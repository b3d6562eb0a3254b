import { lockSchool } from '../../database/lock-school.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { findMember } from './teachers.queries.ts';

/**
 * A colleague whose place in the school may be changed, the school's row locked until the transaction ends.
 * Throws `teacher_not_found`, `not_yourself`, or `forbidden` for somebody who was demoted a moment ago. So the school
 * keeps an admin, however many change each other at once: the one who does it is an admin still, and stays one.
 */
export async function getColleague(
  db: SchoolDb,
  me: StaffSession,
  userId: number,
): Promise<{ user_id: number; role: 'admin' | 'teacher' }> {
  await lockSchool(db);
  const colleague = await findMember(db, userId);
  if (!colleague) throw new AppError('teacher_not_found');
  if (userId === me.userId) throw new AppError('not_yourself');
  const self = await findMember(db, me.userId);
  if (self?.role !== 'admin') throw new AppError('forbidden');
  return colleague;
}
