import { SUPPORT_ACCESS_MINUTES, type SupportAccess } from '#contract/calls/support-access.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import type { UserSession } from '../../../auth/sessions.queries.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { findStaffName } from '../../accounts/access/access.public.ts';
import { endSupportSessions, findPermission, removePermission, savePermission } from './support-access.queries.ts';

/** Whether support may see data about children, and who allowed it. */
export async function describeSupportAccess(db: SchoolDb, now: Date): Promise<SupportAccess> {
  const permission = await findPermission(db, now);
  if (!permission) return { allowed_until: null, allowed_by: null };
  const name = await findStaffName(db, permission.allowed_by);
  return {
    allowed_until: permission.expires_at.toISOString(),
    allowed_by: name === undefined ? null : { id: permission.allowed_by, name },
  };
}

/** Lets support see data about children for an hour from now. */
export async function allowSupport(db: SchoolDb, me: UserSession, now: Date): Promise<void> {
  await savePermission(db, me.userId, new Date(now.getTime() + SUPPORT_ACCESS_MINUTES * 60_000));
  await recordChange(db, me, now, { action: 'support_allowed', subjectKind: 'school', subjectId: db.schoolId });
}

/** Withdraws the permission, if it still holds, and ends the sessions of support. */
export async function endSupportAccess(db: SchoolDb, me: UserSession, now: Date): Promise<void> {
  await endSupportSessions(db);
  if (await removePermission(db, now))
    await recordChange(db, me, now, { action: 'support_ended', subjectKind: 'school', subjectId: db.schoolId });
}
