import { setTimeout as delay } from 'node:timers/promises';

/** How a request to another server waits before its next try; a test replaces it. */
export const retryWait = {
  wait: (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }),
};
