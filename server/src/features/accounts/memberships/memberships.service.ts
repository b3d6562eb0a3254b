import { recordChange } from '../../../audit/audit-log.queries.ts';
import { insertLoginEvent } from '../../../auth/login-events.queries.ts';
import { listFactors } from '../../../auth/login-factors.queries.ts';
import { lockSession, moveSession, type OwnSession, type UserSession } from '../../../auth/sessions.queries.ts';
import { enterUserSchool } from '../../../auth/user-schools.queries.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { lockUser, mustEnrol } from '../access/access.public.ts';
import { lockConnection } from '../sign-in-providers/sign-in-providers.public.ts';

/**
 * Continues a session in another school of its user, as a login to that school would: with the provider that the school
 * allows and the second factor that it needs. Throws `school_not_yours`, `provider_not_allowed` or
 * `second_factor_needed`.
 */
export async function switchSchool(db: PlatformDb, me: UserSession, schoolId: number, now: Date): Promise<void> {
  const user = await lockUser(db, me.userId);
  if (!user.schoolIds.includes(schoolId)) throw new AppError('school_not_yours');
  const session = await lockSession(db, me.tokenHash);
  if (!session) throw new AppError('unauthorised');
  if (session.schoolId === schoolId) return;
  const hasProviderFactor = await withSchool(db, schoolId, (school) => enterThroughProvider(school, session));
  const hasFactor = hasProviderFactor || (await listFactors(db, user.id)).length > 0;
  const entry = { ...user, isFromProvider: session.account !== undefined };
  if (!hasFactor && (await mustEnrol(db, entry, schoolId, now))) throw new AppError('second_factor_needed');
  await moveSession(db, me.tokenHash, { schoolId, hasProviderFactor });
  await enterUserSchool(db, user.id, schoolId, now);
  await withSchool(db, schoolId, async (school) => {
    await insertLoginEvent(school, { schoolId, person: { userId: user.id }, method: 'switch', device: session }, now);
    await recordChange(school, me, now, { action: 'logged_in', subjectKind: 'user', subjectId: user.id });
  });
}

/**
 * Returns whether a second factor at the session's provider counts in the school. Throws `provider_not_allowed` when the
 * school does not sign in that way.
 */
async function enterThroughProvider(school: SchoolDb, { account, hasProviderFactor }: OwnSession): Promise<boolean> {
  if (!account) return false;
  const connection = await lockConnection(school, account.provider);
  if (!connection || connection.tenant !== account.tenant) throw new AppError('provider_not_allowed');
  return hasProviderFactor && connection.countsSecondFactor;
}
