import { type MouseEvent, type RefObject, useCallback, useEffect, useState } from 'react';
import type { Key } from './use-selection.ts';

/** The index of an element's row among the rows of its table. */
export function indexOfRow(element: Element): number {
  const row = element.closest('tr');
  return row?.parentElement ? Array.prototype.indexOf.call(row.parentElement.children, row) : -1;
}

/**
 * The row of a table whose menu is open, and the handler of clicks on all rows.
 * @param root the table or an element around it
 */
export function useRowMenu(root: RefObject<Element | null>, keys: readonly Key[]) {
  const [menuKey, setMenuKey] = useState<Key | null>(null);
  const openMenu = ({ target }: MouseEvent) => {
    const summary = (target as Element).closest('summary');
    if (summary) setMenuKey(keys[indexOfRow(summary)] ?? null);
  };
  const closeMenu = useCallback((key: Key) => setMenuKey((current) => (current === key ? null : current)), []);
  useEffect(() => {
    // Pressed before hydration.
    const opened = root.current?.querySelector('tbody details[open]');
    if (opened) setMenuKey(keys[indexOfRow(opened)] ?? null);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: the keys are those of the rows that were pressed
  }, []);
  return { menuKey, openMenu, closeMenu };
}
