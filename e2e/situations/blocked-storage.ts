import { isSeen } from './in-page.ts';
import { run, type Situation } from './situation.ts';

/** Whether a visible sentence is about cookies. Runs in the browser. */
const saysCookies = (): boolean =>
  [...document.querySelectorAll('main *')].some(
    (element) =>
      isSeen(element) &&
      [...element.childNodes].some((node) => node.nodeType === 3 && /cookies/i.test(node.nodeValue ?? '')),
  );

/** Sends the login form, as a person does. Runs in the browser. */
function logIn(email: string, password: string): void {
  const type = (selector: string, text: string) => {
    const field = document.querySelector<HTMLInputElement>(selector)!;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  type('main input[type=email]', email);
  type('main input[type=password]', password);
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === 'Log in')!.click();
}

export const blockedStorage: Situation = {
  title: 'the login explains that it needs cookies when the browser blocks them',
  needs: 'blocked storage',
  async check(page) {
    await page.resize({ width: 1280, height: 800 });
    await page.open('/login');
    if (!(await run(page, saysCookies))) await run(page, logIn, 'head@willowbank.example', 'reading-1');
    const isExplained = await page.becomes(() => run(page, saysCookies));
    await page.picture('blocked cookies');
    return isExplained ? [] : ['/login: nothing about cookies is shown after a login whose cookie is blocked'];
  },
};
