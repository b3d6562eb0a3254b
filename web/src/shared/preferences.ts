import { getPageScope } from './page-scope.ts';

/*
 * Choices that apply to all pages, in a cookie so that the server renders pages with them. Validate a preference when
 * reading it: a cookie can contain anything.
 */

interface Preferences {
  /** Rows per page of every table. */
  rows?: unknown;
  /** The last chosen date range: the name of a preset, or two days. */
  range?: unknown;
  /** `hidden` while the class is shown to others. */
  names?: unknown;
  /** `away` once the user has hidden the set-up list. */
  checklist?: unknown;
  /** The day from which an only admin is asked for a second one again: `2027-09-01`. */
  secondAdmin?: unknown;
  /** `used` once someone has created or used a passkey in this browser. */
  passkey?: unknown;
  /** Charts that the user folded or unfolded, by name: true if folded. */
  foldedCharts?: unknown;
}

const NAME = 'preferences';
const YEAR_SECONDS = 365 * 86_400;

/** Used while the page is open if cookies are blocked. */
let unstored: Preferences | undefined;

/** The preferences in a `Cookie` header. */
export function readPreferences(cookies: string): Preferences {
  const text = cookies
    .split('; ')
    .find((cookie) => cookie.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1);
  // A caught error makes V8 parse the running scripts again, which is slow on a tablet.
  if (!text) return {};
  try {
    const value: unknown = JSON.parse(decodeURIComponent(text));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

export function getPreference(name: keyof Preferences): unknown {
  const scope = getPageScope();
  const preferences = scope
    ? readPreferences(scope.cookies)
    : typeof document === 'undefined'
      ? {}
      : { ...unstored, ...readPreferences(document.cookie) };
  return preferences[name];
}

/** Stores a preference in this browser. */
export function setPreference(name: keyof Preferences, value: unknown): void {
  unstored = { ...unstored, ...readPreferences(document.cookie), [name]: value };
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${NAME}=${encodeURIComponent(JSON.stringify(unstored))}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
}

/** Whether the browser keeps this site's cookies. Some that do not still claim that cookies are enabled. */
export function canKeepCookies(): boolean {
  if (!navigator.cookieEnabled) return false;
  const name = 'cookie-test';
  document.cookie = `${name}=1; Path=/; Max-Age=60; SameSite=Lax`;
  const isKept = document.cookie.split('; ').includes(`${name}=1`);
  document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`;
  return isKept;
}
