import { useEffect } from 'react';
import { whenIdle } from './when-idle.ts';

const AT_REST_AFTER_MS = 2_000;

/** One after the other, each in a task of its own: what is pressed meanwhile comes first. */
let queue: Promise<unknown> = Promise.resolve();

/** Fetches a part of the app once the page is at rest, so that it is there when it is asked for. */
export function useOnceAtRest(load: () => Promise<unknown>): void {
  useEffect(() => {
    let isNeeded = true;
    const loadInTurn = async () => {
      await new Promise<void>(whenIdle);
      if (isNeeded) await load().catch(() => undefined);
    };
    const timer = setTimeout(() => (queue = queue.then(loadInTurn)), AT_REST_AFTER_MS);
    return () => {
      isNeeded = false;
      clearTimeout(timer);
    };
  }, [load]);
}
