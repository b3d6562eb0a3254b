/** A request that the page started before its scripts were there. */
export interface FirstAnswer {
  token: string;
  answer: Promise<Response>;
}

declare global {
  interface Window {
    /** Filled by `boot.ts`: requests under way by their exact address. */
    firstAnswers?: Record<string, FirstAnswer>;
  }
}

/** Older answers no longer tell how things stand. */
const GOOD_FOR_MS = 20_000;

/** Forgets what was asked before a change: the answers tell how things stood before it. */
export function dropFirstAnswers(): void {
  if (typeof window !== 'undefined') delete window.firstAnswers;
}

/** Hands out the answer that is under way to this address, once, and only to the session that asked. */
export function takeFirstAnswer(address: string, token: string | undefined): Promise<Response> | undefined {
  const waiting = typeof window === 'undefined' ? undefined : window.firstAnswers;
  const first = waiting?.[address];
  if (!waiting || !first) return undefined;
  delete waiting[address];
  return first.token === token && performance.now() < GOOD_FOR_MS ? first.answer : undefined;
}
