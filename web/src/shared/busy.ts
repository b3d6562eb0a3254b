import { ApiError } from './api-error.ts';
import { getSession } from './session.ts';

/** Together with the server's five seconds, half a minute. */
const MAX_RETRIES = 6;
const DEFAULT_WAIT_S = 5;

/** How long each of the waiting calls waits, in seconds. */
let waits: readonly number[] = [];
const listeners = new Set<() => void>();

function change(next: readonly number[]): void {
  waits = next;
  for (const listener of listeners) listener();
}

/** The seconds after which the newest waiting call is sent again; undefined while none waits. */
export const getBusyWait = (): number | undefined => waits.at(-1);

export function onBusy(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function waitUntilRetry(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  change([...waits, seconds]);
  try {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000);
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      signal?.addEventListener('abort', end, { once: true });
    });
  } finally {
    change(waits.toSpliced(waits.indexOf(seconds), 1));
  }
  signal?.throwIfAborted();
}

export const isBusy = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 'busy';

/**
 * Sends a call again when the server was too busy to begin with it. The page stays as it is and says so meanwhile.
 * Throws the server's error when it is still busy after half a minute, or when the user's session has ended meanwhile.
 */
export async function withBusyRetry<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const key = getSession()?.key;
  for (let retries = 0; ; retries += 1)
    try {
      return await send();
    } catch (error) {
      if (!isBusy(error) || retries === MAX_RETRIES) throw error;
      await waitUntilRetry(error.retryAfter ?? DEFAULT_WAIT_S, signal);
      // The next user of this browser must not send it.
      if (getSession()?.key !== key) throw error;
    }
}
