/** Watches for a newer version of the portal. Not watching yet. */
export function UpdateWatch() {
  return null;
}
