import type { Role } from '#contract/permissions.ts';
import { removeSchoolSessions } from '../../../auth/sessions.queries.ts';
import { removeUserSchool } from '../../../auth/user-schools.queries.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffSession } from '../../../context.ts';
import { deleteUnsentMails } from '../../../mail/outbox.queries.ts';
import { establishOwner, getColleague, lockUser } from '../../accounts/access/access.public.ts';
import { endMembership, updateStaffRole } from './teachers.queries.ts';

/** Promotes or demotes a colleague. Throws as `getColleague` does. */
export async function updateRole(db: SchoolDb, me: StaffSession, userId: number, role: Role, now: Date): Promise<void> {
  const colleague = await getColleague(db, me, userId);
  if (colleague.role === role) return;
  await updateStaffRole(db, userId, role);
  const action = role === 'admin' ? 'teacher_promoted' : 'teacher_demoted';
  await recordChange(db, me, now, { action, subjectKind: 'user', subjectId: userId });
}

/** Removes a colleague from the staff and ends their sessions and links. Throws as `getColleague` does. */
export async function removeTeacher(db: SchoolDb, me: StaffSession, userId: number, now: Date): Promise<void> {
  const { role } = await getColleague(db, me, userId);
  const classes = await leaveSchool(db, userId, now);
  await recordChange(db, me, now, {
    action: 'teacher_removed',
    subjectKind: 'user',
    subjectId: userId,
    details: { role, classes },
  });
}

/**
 * Ends someone's membership with their sessions in the school; with the last one, everything that was issued for their
 * account. Returns the number of classes that now have no teacher.
 */
export async function leaveSchool(db: SchoolDb, userId: number, now: Date): Promise<number> {
  const classes = await endMembership(db, userId, now);
  // The account remains after its user has left, and a school cannot write rows outside itself.
  await withPlatform(db, async (platform) => {
    await deleteUnsentMails(platform, db.schoolId, userId);
    const { schoolIds } = await lockUser(platform, userId);
    await removeUserSchool(platform, userId, db.schoolId);
    if (schoolIds.some((id) => id !== db.schoolId)) await removeSchoolSessions(platform, userId, db.schoolId);
    else await establishOwner(platform, userId, now);
  });
  return classes;
}
