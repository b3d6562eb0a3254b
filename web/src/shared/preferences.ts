import { getPageScope } from './page-scope.ts';

/*
 * What somebody chose for all pages: kept in a cookie, so that the server draws a page as the browser will.
 * Whoever reads a preference checks it: a cookie can hold anything.
 */

interface Preferences {
  /** Rows a page of every table. */
  rows?: unknown;
  /** The range of days that was chosen last: the name of a preset, or two days. */
  range?: unknown;
  /** `away` once the list of what a new school has to do was put away. */
  checklist?: unknown;
}

const NAME = 'preferences';
const A_YEAR = 365 * 86_400;

/** For as long as this page lives, where cookies are refused. */
let kept: Preferences | undefined;

/** The preferences in a `Cookie` header. */
export function readPreferences(cookies: string): Preferences {
  const text = cookies
    .split('; ')
    .find((cookie) => cookie.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1);
  // An error, even a caught one, has the browser find its place in all the scripts that are being run: long on a tablet.
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
      : { ...kept, ...readPreferences(document.cookie) };
  return preferences[name];
}

/** Keeps a preference in this browser. */
export function setPreference(name: keyof Preferences, value: unknown): void {
  kept = { ...kept, ...readPreferences(document.cookie), [name]: value };
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${NAME}=${encodeURIComponent(JSON.stringify(kept))}; Path=/; Max-Age=${A_YEAR}; SameSite=Lax${secure}`;
}
