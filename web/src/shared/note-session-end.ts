import type { User } from '#contract/calls/access.ts';
import { takeLogOutDone } from './log-out-cookie.ts';
import { EXPIRED, readSession, SESSION_KEY } from './session-storage.ts';
import { removePrivateValues, store } from './storage.ts';
import { isSupplyTeacher } from './supply-teacher.ts';

/**
 * Ends the stored session in every tab, because the server did not find one for this visitor: the user has logged out, or
 * it has expired. Then their drafts stay, and another tab may have unsaved work of theirs. Nothing stays of a supply
 * teacher, who may never log in again.
 * @returns the user whose session has ended without a log out
 */
export function noteSessionEnd(): User | undefined {
  const isLoggedOut = takeLogOutDone();
  const session = readSession();
  if (!session) return undefined;
  const staysOpen = !isLoggedOut && !isSupplyTeacher(session.user);
  store(SESSION_KEY, staysOpen ? EXPIRED : null);
  removePrivateValues(staysOpen ? session.user.id : null);
  return isLoggedOut ? undefined : session.user;
}
