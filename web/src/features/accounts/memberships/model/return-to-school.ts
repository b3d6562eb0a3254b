import type { User } from '#contract/calls/access.ts';
import { membershipCalls } from '#contract/calls/memberships.ts';
import { call } from '../../../../shared/api-client.ts';
import { ApiError } from '../../../../shared/api-error.ts';
import { getSession, hasSwitched, startSession } from '../../../../shared/session.ts';
import { hasOpenWork } from '../../../../shared/unsaved-work.ts';

/** Moves the session to another school of the user. The page of the school before ends, in every tab. */
export async function switchSchool(schoolId: number): Promise<void> {
  const { user } = await call(membershipCalls.switchSchool, { body: { enterprise_id: schoolId } });
  startSession(user);
}

/** Starts the session of a login. A page with unsaved work goes on in its own school, whichever the user used last. */
export async function enterWith(user: User): Promise<void> {
  startSession(await returnToSchool(user));
}

async function returnToSchool(user: User): Promise<User> {
  const before = getSession()?.user;
  if (!before?.enterprise_id || !hasSwitched(before, user) || !hasOpenWork()) return user;
  try {
    return (await call(membershipCalls.switchSchool, { body: { enterprise_id: before.enterprise_id } })).user;
  } catch (error) {
    // The user has left that school, or cannot enter it by this login.
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return user;
    throw error;
  }
}
