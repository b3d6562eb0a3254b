/** A request that the page started before its scripts were there. */
export interface PreloadedResponse {
  /** The login that asked. */
  key: string;
  answer: Promise<Response>;
  /** What a good answer said, from when all of it is there. */
  text?: string;
}

declare global {
  interface Window {
    /** Filled by `inline-preload.ts`: requests under way by their exact address. */
    preloadedResponses?: Record<string, PreloadedResponse>;
  }
}

/** Older answers no longer tell how things stand. */
const GOOD_FOR_MS = 20_000;

/** Forgets what was asked before a change: the answers tell how things stood before it. */
export function dropPreloaded(): void {
  if (typeof window !== 'undefined') delete window.preloadedResponses;
}

const waiting = (): Record<string, PreloadedResponse> =>
  typeof window === 'undefined' ? {} : (window.preloadedResponses ?? {});

/** Resolves when each request under way has ended, well or not. */
export const preloadsSettled = (): Promise<unknown> =>
  Promise.allSettled(Object.values(waiting()).map(({ answer }) => answer));

function take(address: string, key: string | undefined): PreloadedResponse | undefined {
  const first = waiting()[address];
  if (!first) return undefined;
  delete waiting()[address];
  return first.key === key && performance.now() < GOOD_FOR_MS ? first : undefined;
}

/** Hands out the answer that is under way to this address, once, and only to the session that asked. */
export const takePreloadedResponse = (address: string, key: string | undefined): Promise<Response> | undefined =>
  take(address, key)?.answer;

/** The same for a reply that is there already, so that a page shows it when it is drawn first. */
export function takePreloaded(address: string, key: string | undefined): unknown {
  if (waiting()[address]?.text === undefined) return undefined;
  try {
    return JSON.parse(take(address, key)?.text ?? 'null') ?? undefined;
  } catch {
    // No JSON: a network that answers in the server's place. The call itself asks again and says so.
    return undefined;
  }
}
