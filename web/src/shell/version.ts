/** How often a page asks whether there is a newer one. */
export const ASK_EVERY_MS = 120_000;

/** The hash of the build that the server has now. Throws when it cannot be asked or answers something else. */
export async function fetchVersion(signal: AbortSignal): Promise<string> {
  const failure = new Error('Error: Network Error');
  const response = await fetch(`/version.json?t=${Date.now()}`, { signal, cache: 'no-store' }).catch(
    (error: unknown) => {
      throw signal.aborted ? error : failure;
    },
  );
  const { hash } = (await response.json().catch(() => ({}))) as { hash?: unknown };
  if (!response.ok || typeof hash !== 'string') throw failure;
  return hash;
}

/** Watching is off where the product is being worked on: each save would be an update. */
export const isWatched = (stage: string, version: string | undefined): version is string =>
  version !== undefined && stage !== 'development' && stage !== 'local';
