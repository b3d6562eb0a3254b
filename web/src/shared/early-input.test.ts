// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { recordEarlyInput, replayEarlyInput } from './early-input.ts';

afterEach(() => {
  window.earlyInput?.stop();
  window.earlyInput = undefined;
  document.body.innerHTML = '';
});

/** A page whose app listens already, at its root, and has not been told yet. */
function openPage(html: string): HTMLElement {
  document.body.innerHTML = `<div id="root">${html}</div>`;
  recordEarlyInput();
  return document.getElementById('root')!;
}
const heardBy = (root: HTMLElement, name: string) => {
  const listener = vi.fn<(event: Event) => void>();
  root.addEventListener(name, listener);
  return listener;
};

it('a click before hydration is replayed once, with its modifier keys', () => {
  const root = openPage('<button>Select</button>');
  const clicks = heardBy(root, 'click');
  const press = new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true });
  root.querySelector('button')!.dispatchEvent(press);
  expect(clicks).not.toHaveBeenCalled();
  replayEarlyInput();
  expect(clicks).toHaveBeenCalledTimes(1);
  expect(clicks.mock.calls[0]![0]).toMatchObject({ shiftKey: true, ctrlKey: false });
});

it('a checkbox that is ticked before hydration stays ticked', () => {
  const root = openPage('<input type="checkbox">');
  const changes = heardBy(root, 'change');
  const box = root.querySelector('input')!;
  box.click();
  expect(box.checked).toBe(true);
  expect(changes).not.toHaveBeenCalled();
  replayEarlyInput();
  expect(box.checked).toBe(true);
  expect(changes).toHaveBeenCalledTimes(1);
});

it('text and choices before hydration are reported once', () => {
  const root = openPage('<input type="search"><select><option>1</option><option>2</option></select>');
  const [inputs, changes] = [heardBy(root, 'input'), heardBy(root, 'change')];
  const [search, select] = [root.querySelector('input')!, root.querySelector('select')!];
  search.value = 'pup';
  search.dispatchEvent(new Event('input', { bubbles: true }));
  select.value = '2';
  for (const name of ['input', 'change']) select.dispatchEvent(new Event(name, { bubbles: true }));
  expect(inputs).not.toHaveBeenCalled();
  expect(changes).not.toHaveBeenCalled();
  replayEarlyInput();
  expect(inputs).toHaveBeenCalledTimes(1);
  expect(changes).toHaveBeenCalledTimes(1);
  expect([search.value, select.value]).toEqual(['pup', '2']);
});

it('links are not recorded before hydration', () => {
  const root = openPage('<a href="#there"><span>There</span></a>');
  const clicks = heardBy(root, 'click');
  root.querySelector('span')!.click();
  expect(clicks).toHaveBeenCalledTimes(1);
  replayEarlyInput();
  expect(clicks).toHaveBeenCalledTimes(1);
});

it('buttons of forms that post are recorded before hydration; those of GET forms and Log out work in the browser', () => {
  const root = openPage(
    '<form method="post" action="/login"><button>Log in</button></form><form method="get" action="/"><button>Show</button></form><form method="post" action="/logout"><button>Log out</button></form>',
  );
  for (const form of root.querySelectorAll('form')) form.addEventListener('submit', (event) => event.preventDefault());
  const clicks = heardBy(root, 'click');
  const [post, get, logOut] = root.querySelectorAll('button');
  get!.click();
  logOut!.click();
  expect(clicks).toHaveBeenCalledTimes(2);
  post!.click();
  expect(clicks).toHaveBeenCalledTimes(2);
  replayEarlyInput();
  expect(clicks).toHaveBeenCalledTimes(3);
});
