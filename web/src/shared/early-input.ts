/*
 * Records clicks, choices and text on a server-rendered page until React has hydrated its shell, then dispatches them
 * again: React does not replay earlier events. Later events reach React directly; it hydrates a Suspense boundary at
 * once when it is clicked. The inline script and the app are separate programs, so they share `window.earlyInput`.
 */
import { watchScripts } from './script-failure.ts';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

type Keys = Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>;

interface EarlyInput {
  /** In click order. A checkbox with its state since, and the modifier keys. */
  clicks: { pressed: HTMLElement; isTicked: boolean; keys: Keys }[];
  /** The current text of a field. A file field has its files itself. */
  values: Map<Field, string>;
  stop: () => void;
}

declare global {
  interface Window {
    earlyInput?: EarlyInput | undefined;
    /** Set by index.html in browsers that the app does not support. */
    isTooOld?: true;
  }
}

/** More clicks than these are impatience. */
const MAX_CLICKS = 5;

/** Links, summaries, buttons of `GET` forms and *Log out* work without the app. */
const WORKS_ALONE = 'a[href], form[action]:not([method="post"]), form[action="/logout"], summary';

const isBox = (element: HTMLElement): element is HTMLInputElement =>
  element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);

export function recordEarlyInput(): void {
  const clicks: EarlyInput['clicks'] = [];
  const values = new Map<Field, string>();
  const ended = new AbortController();
  const listen = <Name extends 'click' | 'input' | 'change'>(
    name: Name,
    keep: (event: HTMLElementEventMap[Name]) => void,
  ) => document.addEventListener(name, keep, { capture: true, signal: ended.signal });

  listen('click', (event) => {
    const pressed = (event.target as Element).closest<HTMLElement>(
      'button, input[type="checkbox"], input[type="radio"]',
    );
    if (!pressed || (!isBox(pressed) && pressed.closest(WORKS_ALONE))) return;
    const { shiftKey, ctrlKey, altKey, metaKey } = event;
    const keys = { shiftKey, ctrlKey, altKey, metaKey };
    if (clicks.length < MAX_CLICKS) clicks.push({ pressed, isTicked: isBox(pressed) && pressed.checked, keys });
    // React may be listening already, and would handle the click twice.
    event.stopPropagation();
    // A checkbox changes at once.
    if (!isBox(pressed)) event.preventDefault();
  });
  listen('input', (event) => {
    const field = event.target as Field;
    if (/^(checkbox|radio)$/.test(field.type)) return;
    values.set(field, field.value);
    event.stopPropagation();
  });
  listen('change', (event) => event.stopPropagation());
  watchScripts(ended.signal);
  window.earlyInput = { clicks, values, stop: () => ended.abort() };
}

/** Dispatches recorded text and choices, then recorded clicks. Call once, after the shell has hydrated. */
export function replayEarlyInput(): void {
  const kept = window.earlyInput;
  if (!kept) return;
  window.earlyInput = undefined;
  kept.stop();
  for (const [field, value] of kept.values) if (field.isConnected) retype(field, value);
  for (const { pressed, isTicked, keys } of kept.clicks) {
    if (!pressed.isConnected) continue;
    if (isBox(pressed)) pressed.checked = !isTicked;
    pressed.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, view: window, ...keys }));
  }
}

/** React ignores a value that equals the last one it saw, so it sees an empty one first. */
function retype(field: Field, value: string): void {
  // Scripts cannot set files, so they stay in the field.
  if (field.type === 'file') return void field.dispatchEvent(new Event('change', { bubbles: true }));
  const prototype = Object.getPrototypeOf(field) as Field;
  const setter = Object.getOwnPropertyDescriptor(prototype, 'value')?.set;
  if (!(field instanceof HTMLSelectElement)) field.value = '';
  setter?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}
