/*
 * Keeps what is typed for the command palette (Ctrl-K) or for the search of a page (`/`) until it can take it:
 * while the scripts of the page are on their way, and from the opening of the palette to the focus in its field.
 * The page's inline script and the app are two programs, so the buffer stands on `window`.
 */

type KeyReceiver = 'palette' | 'search';

interface KeyBuffer {
  /** Whose keys are kept; null while none are. */
  receiver: KeyReceiver | null;
  /** What was typed since. */
  text: string;
  /** The app does not listen for the shortcuts yet: the buffer does. */
  isStarting: boolean;
}

declare global {
  interface Window {
    keyBuffer?: KeyBuffer;
  }
}

const FIELDS = 'input, textarea, select, [contenteditable]';

/** Ctrl-K, and Command-K on a Mac. */
export const isPaletteShortcut = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k';

/** The key `/` outside of fields and dialogs. */
export const isSearchShortcut = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean =>
  key === '/' && !ctrlKey && !metaKey && !(target as Element).closest(`${FIELDS}, [role="dialog"]`);

/** Fields in which Ctrl-Z takes back what was typed. */
const TEXT_FIELDS = 'input:not([type="checkbox"], [type="radio"], [type="file"]), textarea, [contenteditable]';

/** Ctrl-Z, and Command-Z on a Mac, outside of fields for text and of dialogs. */
export const isUndoShortcut = ({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) &&
  !altKey &&
  !shiftKey &&
  key.toLowerCase() === 'z' &&
  !(target as Element).closest(`${TEXT_FIELDS}, [role="dialog"]`);

function install(isStarting: boolean): KeyBuffer {
  const buffer: KeyBuffer = { receiver: null, text: '', isStarting };
  window.keyBuffer = buffer;
  document.addEventListener('keydown', (event) => keep(buffer, event), { capture: true });
  document.addEventListener('pointerdown', () => buffer.receiver === 'search' && drop(buffer), { capture: true });
  return buffer;
}

function begin(buffer: KeyBuffer, receiver: KeyReceiver): void {
  if (buffer.receiver === receiver) return;
  buffer.receiver = receiver;
  buffer.text = '';
}

function drop(buffer: KeyBuffer): void {
  buffer.receiver = null;
}

function keep(buffer: KeyBuffer, event: KeyboardEvent): void {
  const { key, target } = event;
  const receiver = isPaletteShortcut(event) ? 'palette' : isSearchShortcut(event) ? 'search' : null;
  if (buffer.isStarting && receiver && (receiver === 'palette' || !buffer.receiver)) {
    begin(buffer, receiver);
    event.preventDefault();
    return;
  }
  if (!buffer.receiver) return;
  // Whoever has gone elsewhere types for that. Of a page's search nobody knows yet whether there is one.
  const isElsewhere = (target as Element).closest(FIELDS) || (buffer.receiver === 'search' && target !== document.body);
  if (key === 'Escape' || isElsewhere) return drop(buffer);
  if (event.ctrlKey || event.metaKey || event.altKey || (key.length > 1 && key !== 'Backspace')) return;
  buffer.text = key === 'Backspace' ? buffer.text.slice(0, -1) : buffer.text + key;
  event.preventDefault();
  event.stopPropagation();
}

/** Keeps both shortcuts, and what is typed after them, until the app listens. */
export function bufferShortcuts(): void {
  install(true);
}

/** Keeps what is typed from now on. */
export function bufferKeysFor(receiver: KeyReceiver): void {
  begin(window.keyBuffer ?? install(false), receiver);
}

/** The palette listens for its shortcut itself from now on. True when it was pressed before: then keys are kept for it. */
export function claimPaletteShortcut(): boolean {
  const buffer = window.keyBuffer;
  if (buffer) buffer.isStarting = false;
  return buffer?.receiver === 'palette';
}

/** Hands out what was typed, and keeps no more; null when its shortcut was not pressed. */
export function takeBufferedKeys(receiver: KeyReceiver): string | null {
  const buffer = window.keyBuffer;
  if (buffer?.receiver !== receiver) return null;
  drop(buffer);
  return buffer.text;
}

/** The page is there: a shortcut of the palette that none has claimed is the browser's again. */
export function endShortcutBuffer(): void {
  const buffer = window.keyBuffer;
  if (!buffer?.isStarting) return;
  buffer.isStarting = false;
  takeBufferedKeys('palette');
}
