/** Headers of more than 4 kB do not pass every proxy. */
const MAX_PATH_LENGTH = 2000;

/**
 * The path of the portal that a link names, percent-encoded because a header takes no other letters. Undefined for another
 * site and for a path that is too long.
 */
export function readOwnPath(wanted: string): string | undefined {
  // Browsers ignore tabs and line breaks in a URL and leave out dots: "/\t/other.site" and "/.//other.site" are "//other.site".
  if (!wanted.startsWith('/') || /^[^?#]*\/\/|[\u0000-\u001f\\]/.test(wanted)) return undefined;
  const path = wanted.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent);
  return path.length <= MAX_PATH_LENGTH ? path : undefined;
}
