import { startTransition, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router';
import { isFirstDrawing } from '../shared/page-scope.ts';
import { whenIdle } from './when-idle.ts';

/** What a tall screen shows of a table. */
const FIRST_ROWS = 16;

/** Further rows that the browser draws in one go after a page that comes drawn: more would keep what is pressed waiting. */
const MORE_ROWS = 10;

/** In an address: all rows are drawn at once. For browsers in which no script brings the rest. */
export const ALL_ROWS = { rows: 'all' } as const;

/**
 * The rows that a new page shows first; the others follow at once, in the background. All of them together
 * would keep an old tablet from showing any. Where somebody comes back to a page all are there from the start:
 * the page must be as long as it was to be scrolled to the same position.
 */
export function useFirstRows<Row>(rows: readonly Row[] | undefined): readonly Row[] | undefined {
  const comesBack = useComesBack();
  const [query] = useSearchParams();
  const isDrawn = useRef(isFirstDrawing()).current;
  const isDeferred = useDeferredValue(true, comesBack && !isDrawn);
  // Of a page that comes drawn the server could not know it.
  const [count, setCount] = useState(FIRST_ROWS);
  useLayoutEffect(() => {
    if (comesBack) setCount(Infinity);
  }, [comesBack]);
  // After a page that comes drawn the browser has better to do than rows that nobody sees yet.
  const isCut = isDrawn && rows !== undefined && count < rows.length;
  useEffect(
    () => (isCut ? whenIdle(() => startTransition(() => setCount(count + MORE_ROWS))) : undefined),
    [isCut, count],
  );
  return (isDeferred && !isDrawn) || query.get('rows') === ALL_ROWS.rows ? rows : rows?.slice(0, count);
}

/** Set when a table's page is left: an address opened by the browser is the first entry of the history, and later one to come back to. */
let hasLeft = false;

/** Back, Forward or a reload, and not a link or an address. */
function useComesBack(): boolean {
  useEffect(
    () => () => {
      hasLeft = true;
    },
    [],
  );
  const { key } = useLocation();
  const isPop = useNavigationType() === NavigationType.Pop;
  if (typeof window === 'undefined') return false;
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return isPop && !(key === 'default' && load?.type === 'navigate' && !hasLeft);
}
