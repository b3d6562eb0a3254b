/*
 * Keyboard shortcuts that work as soon as the page is shown. The inline script listens for them, so text typed next
 * goes into a real field before the app has started. `early-input.ts` dispatches that text to the app.
 */

/** ID of the `<dialog>` of the command palette. */
export const PALETTE_ID = 'palette';

/** Marks the field that `/` focuses. */
export const PAGE_SEARCH = { 'data-page-search': '' } as const;

/** Fields in which Ctrl-Z undoes typing. */
const TEXT_FIELDS = 'input:not([type="checkbox"], [type="radio"], [type="file"]), textarea, [contenteditable]';
const FIELDS = 'input, textarea, select, [contenteditable]';

const isOutside = (target: EventTarget | null, selector: string): boolean =>
  !(target instanceof Element && target.closest(selector));

/** Ctrl and a letter alone, or Command on a Mac. */
const isCommand = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent, letter: string): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === letter;

/** Ctrl-Z outside text fields and dialogs. */
export const isUndoShortcut = (event: KeyboardEvent): boolean =>
  isCommand(event, 'z') && isOutside(event.target, `${TEXT_FIELDS}, dialog`);

const isSearchShortcut = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean =>
  key === '/' && !ctrlKey && !metaKey && isOutside(target, `${FIELDS}, dialog`);

/** Opens the command palette, unless another dialog is open. Returns whether the page has a palette. */
export function openPalette(): boolean {
  const palette = document.getElementById(PALETTE_ID) as HTMLDialogElement | null;
  if (palette && !document.querySelector('dialog[open]')) {
    palette.showModal();
    palette.querySelector('input')?.focus();
  }
  return palette !== null;
}

function focusPageSearch(): boolean {
  const field = document.querySelector<HTMLElement>('[data-page-search]');
  field?.focus();
  return field !== null;
}

/** Ctrl-K opens the command palette. `/` focuses the page's search, if there is one. */
export function listenForShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    const isHandled = isCommand(event, 'k') ? openPalette() : isSearchShortcut(event) && focusPageSearch();
    if (isHandled) event.preventDefault();
  });
}
