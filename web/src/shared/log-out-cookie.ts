/** As long as a session can last. Safari may remove it after a week without a visit; then the session's idle limit ends it. */
export const LOG_OUT_MAX_AGE = 90 * 86_400;

const isSecure = () => window.location.protocol === 'https:';
const cookieName = () => (isSecure() ? '__Host-log-out' : 'log-out');

/** With this cookie the server ends the session of this browser's next request (server/src/pages/log-out.ts). */
export function writeLogOutCookie(maxAge: number): void {
  document.cookie = `${cookieName()}=1; path=/; max-age=${maxAge}; samesite=lax${isSecure() ? '; secure' : ''}`;
}

/** Whether a log out of this browser has begun and has not yet arrived. */
export const isLogOutPending = (): boolean =>
  typeof document !== 'undefined' && document.cookie.split('; ').includes(`${cookieName()}=1`);

/** Whether the page follows a log out by the server. Asked once, because the cookie is then removed. */
export function takeLogOutDone(): boolean {
  const isDone = document.cookie.split('; ').includes(`${cookieName()}=done`);
  if (isDone) writeLogOutCookie(0);
  return isDone;
}
