/** True for a path of the portal itself, so that a link cannot lead to another site. */
export const isOwnPath = (path: string): boolean =>
  // Browsers ignore tabs and line breaks in a URL: "/\t/other.site" would lead to another site.
  /^\/(?![/\\])/.test(path) && !/[\u0000-\u001f\\]/.test(path);
