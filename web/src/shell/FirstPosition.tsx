import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router';

/** Where the router keeps how far each entry of the history was scrolled. */
const POSITIONS = 'react-router-scroll-positions';

/** Of a page that comes drawn the router leaves it to the page to begin where it was left: after a reload, or Back from another site. */
export function FirstPosition() {
  const { key } = useLocation();
  useLayoutEffect(() => {
    const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    if (load?.type === 'navigate') return;
    try {
      const position = (JSON.parse(sessionStorage.getItem(POSITIONS) ?? '{}') as Record<string, unknown>)[key];
      if (typeof position === 'number') window.scrollTo(0, position);
    } catch {
      // Storage is refused: the page begins at its top.
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the first address alone: later ones are the router's
  }, []);
  return null;
}
