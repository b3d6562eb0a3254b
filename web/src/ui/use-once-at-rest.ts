import { useEffect } from 'react';

const AT_REST_AFTER_MS = 2_000;

/** Fetches a part of the app once the page is at rest, so that it is there when it is asked for. */
export function useOnceAtRest(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), AT_REST_AFTER_MS);
    return () => clearTimeout(timer);
  }, [load]);
}
