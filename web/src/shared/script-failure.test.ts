// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordEarlyInput } from './early-input.ts';

beforeEach(() => {
  document.documentElement.dataset.script = '';
  document.body.innerHTML = '<button>Select</button>';
  recordEarlyInput();
});
afterEach(() => {
  window.earlyInput?.stop();
  window.earlyInput = undefined;
});

const fail = (url: string) => {
  const script = document.createElement('script');
  script.setAttribute('src', url);
  document.body.append(script);
  script.dispatchEvent(new Event('error'));
};
/** Whether the page waits for its scripts: it keeps their mark, and records clicks. */
function isWaiting(): boolean {
  const press = new MouseEvent('click', { bubbles: true, cancelable: true });
  document.querySelector('button')!.dispatchEvent(press);
  expect(press.defaultPrevented).toBe(document.documentElement.dataset.script === '');
  return press.defaultPrevented;
}

it('a script of the portal that does not load makes the page work without scripts', () => {
  fail(`${location.origin}/assets/start-1.js`);
  expect(isWaiting()).toBe(false);
});

it('a script of the portal that throws makes the page work without scripts', () => {
  window.dispatchEvent(new ErrorEvent('error', { filename: `${location.origin}/assets/start-1.js` }));
  expect(isWaiting()).toBe(false);
});

it('an error of a browser extension changes nothing', () => {
  fail('chrome-extension://abc/content.js');
  window.dispatchEvent(new ErrorEvent('error', { filename: 'chrome-extension://abc/content.js' }));
  expect(isWaiting()).toBe(true);
});
