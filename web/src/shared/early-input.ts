/*
 * Keeps what is pressed, chosen and typed on a page that comes drawn until the app listens, and does it then.
 * The page's inline script and the app are two programs, so what is kept stands on `window`.
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

/** More than these nobody presses on purpose. */
const MOST_CLICKS = 5;

/** A link, what opens by itself, and the button of a form with an address do their work without the app. */
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
    if (clicks.length < MOST_CLICKS) clicks.push({ pressed, isTicked: isBox(pressed) && pressed.checked, keys });
    // The app may listen already before it is told: it would do this twice.
    event.stopPropagation();
    // A box shows its tick at once.
    if (!isBox(pressed)) event.preventDefault();
  });
  listen('input', (event) => {
    const field = event.target as Field;
    if (/^(checkbox|radio)$/.test(field.type)) return;
    values.set(field, field.value);
    event.stopPropagation();
  });
  listen('change', (event) => event.stopPropagation());
  // The app has not come, or does not run: the buttons that stand in for it are shown, and nothing waits.
  window.addEventListener(
    'error',
    (event: Event) => {
      if (!(event instanceof ErrorEvent || event.target instanceof HTMLScriptElement)) return;
      delete document.documentElement.dataset.script;
      ended.abort();
    },
    { capture: true, signal: ended.signal },
  );
  window.earlyInput = { clicks, values, stop: () => ended.abort() };
}

/** The app listens: what was typed and chosen is told to it, then what was pressed. */
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
