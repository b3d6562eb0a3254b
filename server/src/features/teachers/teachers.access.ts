import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { countOtherAdmins, findMember, lockSchool } from './teachers.queries.ts';

/**
 * A colleague whose place in the school may be changed, the school's row held until the transaction ends.
 * Throws `teacher_not_found`, `not_yourself`, or `forbidden` for somebody who was demoted a moment ago.
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

/** Throws `last_admin` when the school would be left without one. Call under the lock of `getColleague`. */
export async function assertAnotherAdmin(db: SchoolDb, leavingId: number): Promise<void> {
  if ((await countOtherAdmins(db, leavingId)) === 0) throw new AppError('last_admin');
}
