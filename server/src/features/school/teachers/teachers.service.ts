import { hasClasses, isTeachingRole, type Role } from '#contract/permissions.ts';
import { removeSchoolSessions } from '../../../auth/sessions.queries.ts';
import { removeUserSchool } from '../../../auth/user-schools.queries.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffSession } from '../../../context.ts';
import { deleteUnsentMails } from '../../../mail/outbox.queries.ts';
import { establishOwner, getColleague, lockUser } from '../../accounts/access/access.public.ts';
import { lockOwnClasses, removeFromAllClasses, restoreTeacherRules } from '../classes/classes.public.ts';
import { removeFromAllPupils } from '../pupils/pupils.public.ts';
import { type Handover, handOverClasses } from './handovers.service.ts';
import { endMembership, updateStaffRole } from './teachers.queries.ts';

/**
 * Changes the role of a colleague. Someone whose new role has no classes leaves theirs, and a teaching assistant is no
 * class's teacher. Throws as `getColleague` does.
 */
export async function updateRole(db: SchoolDb, me: StaffSession, userId: number, role: Role, now: Date): Promise<void> {
  const colleague = await getColleague(db, me, userId);
  if (colleague.role === role) return;
  // Before the classes: a request that gives this person a class locks the row too.
  await updateStaffRole(db, userId, role);
  if (role !== 'teaching_assistant') await removeFromAllPupils(db, userId);
  if (!hasClasses(role)) await removeFromAllClasses(db, userId);
  else if (!isTeachingRole(role)) {
    const classes = await lockOwnClasses(db, userId);
    await restoreTeacherRules(
      db,
      classes.map(({ id }) => id),
    );
  }
  const subject = { subjectKind: 'user', subjectId: userId } as const;
  if (role === 'admin') await recordChange(db, me, now, { ...subject, action: 'teacher_promoted' });
  else if (role === 'teacher' && colleague.role === 'admin')
    await recordChange(db, me, now, { ...subject, action: 'teacher_demoted' });
  else await recordChange(db, me, now, { ...subject, action: 'role_changed', details: { role } });
}

/**
 * Removes a colleague from the staff and ends their sessions and links.
 * @param handovers as for `handOverClasses`, which come first
 * Throws as `getColleague` and `handOverClasses` do.
 */
export async function removeTeacher(
  db: SchoolDb,
  me: StaffSession,
  userId: number,
  now: Date,
  handovers: readonly Handover[] = [],
): Promise<void> {
  const { role } = await getColleague(db, me, userId);
  await handOverClasses(db, me, userId, handovers, now);
  const classes = await leaveSchool(db, userId, now);
  await recordChange(db, me, now, {
    action: 'teacher_removed',
    subjectKind: 'user',
    subjectId: userId,
    details: { role, classes, ...(handovers.length > 0 && { handed_over: handovers.length }) },
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
