import type { Api } from '#contract/api.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import type { LoginStep } from '../../../auth/login-steps.queries.ts';
import { withSchool } from '../../../database/school.ts';
import type { HandlerContext } from '../../../http/pipeline.ts';
import { countEvent } from '../../../logging/event-counts.ts';
import { lockUser, startSession } from '../access/access.public.ts';

type Login = Pick<HandlerContext<Api['logInWithFactor'], unknown>, 'db' | 'now' | 'client' | 'services'>;

/**
 * Starts the session of a login that was completed with this factor, and records both in the audit log.
 * @param step the step that came before; absent for a passkey, which is a whole login
 */
export async function completeLogin(
  { db, now, client, services }: Login,
  userId: number,
  factor: 'authenticator' | 'passkey' | 'recovery_code',
  step?: LoginStep,
) {
  const { schoolIds } = await lockUser(db, userId);
  // The school that the login chose, unless the user has left it since.
  const schoolId = schoolIds.find((id) => id === step?.schoolId) ?? schoolIds[0] ?? null;
  countEvent('login');
  if (schoolId !== null) {
    const change = { action: 'logged_in', subjectKind: 'user', subjectId: userId, details: { factor } } as const;
    await withSchool(db, schoolId, (own) => recordChange(own, { userId, impersonatorId: null }, now, change));
  }
  const linkedAccountId = step?.linkedAccountId ?? undefined;
  return startSession(
    db,
    { userId, schoolId, login: { client, method: factor }, linkedAccountId },
    now,
    services.config,
  );
}
