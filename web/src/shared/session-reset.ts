/** @param draftOwner the user whose drafts stay in this browser; null after a log out */
type Reset = (draftOwner: number | null) => void;

const resets = new Set<Reset>();

/** Registers what must not outlive the session of one user in one school. Returns a function that removes it. */
export function onSessionReset(reset: Reset): () => void {
  resets.add(reset);
  return () => resets.delete(reset);
}

/**
 * Clears everything on the page that belongs to one user in one school. Called when a user logs in or out or switches
 * school, in any tab, and when their session has ended.
 */
export function resetForSession(draftOwner: number | null): void {
  for (const reset of resets) reset(draftOwner);
}
