/*
 * Presses, choices and text on a server-rendered page before React has hydrated its shell are kept, and reported to the
 * app then: React does not replay events from before. Later events reach React by themselves; it hydrates a Suspense
 * boundary at once when it is pressed. The inline script and the app are two programs, so they meet on `window`.
 */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

type Keys = Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>;

interface EarlyInput {
  /** In the order in which they were pressed; a box with what it shows since, and with the keys that were held. */
  clicks: { pressed: HTMLElement; isTicked: boolean; keys: Keys }[];
  /** What stands in a field by now; a field for files has them itself. */
  values: Map<Field, string>;
  stop: () => void;
}

declare global {
  interface Window {
    earlyInput?: EarlyInput | undefined;
  }
}

/** More presses than these are impatience. */
const MAX_CLICKS = 5;

/** A link, a summary and the button of a form with an action work without the app. */
const WORKS_ALONE = 'a[href], form[action], summary';

const isBox = (element: HTMLElement): element is HTMLInputElement =>
  element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);

export function keepEarlyInput(): void {
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
    // React may already listen: it would handle the press twice.
    event.stopPropagation();
    // A box shows its tick immediately.
    if (!isBox(pressed)) event.preventDefault();
  });
  listen('input', (event) => {
    const field = event.target as Field;
    if (/^(checkbox|radio)$/.test(field.type)) return;
    values.set(field, field.value);
    event.stopPropagation();
  });
  listen('change', (event) => event.stopPropagation());
  // Without the app the page shows what works without it. Errors of extensions are not ours.
  const isOurs = (url: string) => url.startsWith(`${location.origin}/assets/`);
  window.addEventListener(
    'error',
    (event: Event) => {
      const url =
        event instanceof ErrorEvent
          ? event.filename
          : event.target instanceof HTMLScriptElement
            ? event.target.src
            : '';
      if (!isOurs(url)) return;
      delete document.documentElement.dataset.script;
      ended.abort();
    },
    { capture: true, signal: ended.signal },
  );
  window.earlyInput = { clicks, values, stop: () => ended.abort() };
}

/** Reports to the app what was typed and chosen, then what was pressed. Call once, after the shell has hydrated. */
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

/** React passes on only what differs from the value that it saw last: so it sees another one first. */
function retype(field: Field, value: string): void {
  // Chosen files stay in their field; only a person can put them there.
  if (field.type === 'file') return void field.dispatchEvent(new Event('change', { bubbles: true }));
  const prototype = Object.getPrototypeOf(field) as Field;
  const setter = Object.getOwnPropertyDescriptor(prototype, 'value')?.set;
  if (!(field instanceof HTMLSelectElement)) field.value = '';
  setter?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}
