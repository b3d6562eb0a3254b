/** Marks an element to focus when the focused element inside it is removed. It also needs `tabIndex={-1}`. */
export const FOCUS_HOME = { 'data-focus-home': '', tabIndex: -1 } as const;

export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

const focus = (element: Element | null | undefined): void => {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
};

/**
 * Remembers the focused element, or the one given. Returns a function that restores the focus if it has been lost: to the
 * same element, or if its table row is gone, to the row now in its place, or else to the table or the page's heading.
 */
export function rememberFocus(element = document.activeElement): () => void {
  const row = element?.closest('tr');
  const rows = row?.parentElement;
  const index = row && rows ? Array.prototype.indexOf.call(rows.children, row) : -1;
  const home = element?.closest('[data-focus-home]');

  return () => {
    if (!isFocusLost()) return;
    if (element !== document.body && element?.isConnected) focus(element);
    const next = rows?.isConnected ? (rows.children[index] ?? rows.lastElementChild) : null;
    if (isFocusLost()) focus(next?.querySelector('a, button, summary'));
    if (isFocusLost() && home?.isConnected) focus(home);
    if (isFocusLost()) focus(document.querySelector('h1'));
  };
}
