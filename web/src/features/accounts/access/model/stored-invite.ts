import { getPageScope } from '../../../../shared/page-scope.ts';
import { useBrowserValue } from '../../../../shared/use-browser-value.ts';

/** A day, in seconds. */
const MAX_AGE = 86_400;

const isSecure = () => window.location.protocol === 'https:';
const cookieName = () => (isSecure() ? '__Host-invite' : 'invite');

/** Stores the ID in a cookie, which the login reads on the server (`server/src/auth/session-cookie.ts`). */
function writeCookie(id: string, maxAge: number): void {
  document.cookie = `${cookieName()}=${id}; path=/; max-age=${maxAge}; samesite=lax${isSecure() ? '; secure' : ''}`;
}

/** The ID of the invitation to accept after login; null if there is none. */
export function readInvite(): string | null {
  if (getPageScope()) return null;
  const prefix = `${cookieName()}=`;
  const cookie = document.cookie.split('; ').find((pair) => pair.startsWith(prefix));
  return cookie?.slice(prefix.length) || null;
}

/** The same for a component; null while the page hydrates. */
export const useStoredInvite = (): string | null => useBrowserValue(readInvite, null);

export const storeInvite = (id: string): void => writeCookie(id, MAX_AGE);
export const forgetInvite = (): void => writeCookie('', 0);
