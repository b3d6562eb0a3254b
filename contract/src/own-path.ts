/** Stands for the portal's own host, whatever its name. */
const PORTAL = 'https://portal.invalid';

/** Headers of more than 4 kB do not pass every proxy. */
const MAX_PATH_LENGTH = 2000;

const isOwn = (path: string): boolean =>
  // Browsers ignore tabs and line breaks in a URL: "/\t/other.site" would lead to another site.
  /^\/(?![/\\])/.test(path) && !/[\u0000-\u001f\\]/.test(path);

/**
 * The path of the portal that a link names, percent-encoded because a header takes no other letters. Undefined for another
 * site and for a path that is too long.
 */
export function readOwnPath(wanted: string): string | undefined {
  if (!isOwn(wanted)) return undefined;
  const { pathname, search, hash } = new URL(wanted, PORTAL);
  const path = pathname + search + hash;
  // Without its dots, "/.//other.site" would lead to another site.
  return isOwn(path) && path.length <= MAX_PATH_LENGTH ? path : undefined;
}
