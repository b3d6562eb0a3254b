import { takeLogOutDone } from './log-out-cookie.ts';
import { EXPIRED, readSession, SESSION_KEY } from './session-storage.ts';
import { removePrivateValues, store } from './storage.ts';

/**
 * Ends the stored session in every tab, because the server did not find one for this visitor: the user has logged out, or
 * it has expired. Then their drafts stay, and another tab may have unsaved work of theirs.
 */
export function noteSessionEnd(): void {
  const isLoggedOut = takeLogOutDone();
  const session = readSession();
  if (!session) return;
  store(SESSION_KEY, isLoggedOut ? null : EXPIRED);
  removePrivateValues(isLoggedOut ? null : session.user.id);
}
