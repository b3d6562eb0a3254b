import { endSession } from './session.ts';

/** How long a log out waits for the server. */
const LOGOUT_TIMEOUT_MS = 5000;
/** As long as a session can last. Safari may remove it after a week without a visit; then the session's idle limit ends it. */
const COOKIE_MAX_AGE = 90 * 86_400;

const isSecure = () => window.location.protocol === 'https:';
const cookieName = () => (isSecure() ? '__Host-log-out' : 'log-out');

/** With this cookie the server ends the session of this browser's next request (server/src/pages/log-out.ts). */
function writeCookie(maxAge: number): void {
  document.cookie = `${cookieName()}=1; path=/; max-age=${maxAge}; samesite=lax${isSecure() ? '; secure' : ''}`;
}

/** Whether a log out of this browser has begun and has not yet arrived. */
export const isLogOutPending = (): boolean =>
  typeof document !== 'undefined' && document.cookie.split('; ').includes(`${cookieName()}=1`);

/** Whether the page follows a log out by the server. Asked once, because the cookie is then removed. */
export function takeLogOutDone(): boolean {
  const isDone = document.cookie.split('; ').includes(`${cookieName()}=done`);
  if (isDone) writeCookie(0);
  return isDone;
}

/**
 * Ends the session in this browser at once, and on the server. Returns whether the server has ended it; otherwise the
 * browser's next request does.
 */
export async function logOut(): Promise<boolean> {
  writeCookie(COOKIE_MAX_AGE);
  endSession();
  try {
    // The form's own address, which is answered while the server is busy or has no database. The redirect is for browsers without scripts.
    const signal = AbortSignal.timeout(LOGOUT_TIMEOUT_MS);
    const response = await fetch('/logout', { method: 'POST', redirect: 'manual', signal });
    if (!response.ok && response.type !== 'opaqueredirect') return false;
    writeCookie(0);
    return true;
  } catch {
    return false;
  }
}
