/** How often a page checks for a newer version. */
export const CHECK_INTERVAL_MS = 120_000;

/** The hash of the server's current build. Throws when the request fails or returns something else. */
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

/** Not watched in development, where each save would be an update. */
export const isWatched = (stage: string, version: string | undefined): version is string =>
  version !== undefined && stage !== 'development' && stage !== 'local';
