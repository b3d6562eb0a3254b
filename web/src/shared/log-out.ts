import { LOG_OUT_MAX_AGE, writeLogOutCookie } from './log-out-cookie.ts';
import { endSession } from './session.ts';

/** How long a log out waits for the server. */
const LOGOUT_TIMEOUT_MS = 5000;
/**
 * Ends the session in this browser at once, and on the server. Returns whether the server has ended it; otherwise the
 * browser's next request does.
 */
export async function logOut(): Promise<boolean> {
  writeLogOutCookie(LOG_OUT_MAX_AGE);
  endSession();
  try {
    // The form's own address, which is answered while the server is busy or has no database. The redirect is for browsers without scripts.
    const signal = AbortSignal.timeout(LOGOUT_TIMEOUT_MS);
    const response = await fetch('/logout', { method: 'POST', redirect: 'manual', signal });
    if (!response.ok && response.type !== 'opaqueredirect') return false;
    writeLogOutCookie(0);
    return true;
  } catch {
    return false;
  }
}
