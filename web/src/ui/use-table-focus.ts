import { useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useNavigationType } from 'react-router';
import { rememberFocus } from './return-focus.ts';

/** Another page of rows is read from its top: the table comes into sight, and the focus goes to it. */
export function useTopOfPage(page: number | undefined) {
  const root = useRef<HTMLDivElement>(null);
  const shownPage = useRef(page);
  // Whoever goes back gets the position that the page had.
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

/** When the row that has the focus is taken away, the one in its place gets it. What it answers is for the rows' `onFocus`. */
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
