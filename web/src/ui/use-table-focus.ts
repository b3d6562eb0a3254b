import { useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useNavigationType } from '../shared/router.ts';
import { rememberFocus } from './return-focus.ts';

/** Scrolls to the table and focuses it when another page of rows is shown. */
export function useTopOfPage(page: number | undefined) {
  const root = useRef<HTMLDivElement>(null);
  const shownPage = useRef(page);
  // After Back the browser restores the scroll position.
  const isBack = useNavigationType() === NavigationType.Pop;
  useEffect(() => {
    if (shownPage.current === page) return;
    shownPage.current = page;
    if (isBack || !root.current) return;
    root.current.focus({ preventScroll: true });
    if (root.current.getBoundingClientRect().top < 0) root.current.scrollIntoView({ block: 'start' });
  }, [page, isBack]);
  return root;
}

/** When the focused row is removed, focuses the row that takes its place. Returns the handler for the rows' `onFocus`. */
export function useFocusOfRemovedRow(rows: readonly unknown[] | undefined) {
  const giveBack = useRef<{ element: Element; run: () => void } | null>(null);
  useLayoutEffect(() => {
    if (giveBack.current && !giveBack.current.element.isConnected) {
      giveBack.current.run();
      giveBack.current = null;
    }
  }, [rows]);
  return ({ target }: { target: Element }) => {
    giveBack.current = { element: target, run: rememberFocus() };
  };
}
