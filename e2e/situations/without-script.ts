import { expect } from '@playwright/test';
import { isSeen } from './in-page.ts';
import { at, run, type Situation } from './situation.ts';

const SIZES = [
  { width: 768, height: 1024 },
  { width: 375, height: 667 },
];

/** The navigation, or a link to it, must be in the window before the page scrolls. Runs in the browser. */
function findHiddenNavigation(): string[] {
  const navigation = document.querySelector('nav[aria-label="Main"]');
  if (!navigation) return ['the navigation is missing'];
  const isInWindow = (element: Element) => isSeen(element) && element.getBoundingClientRect().bottom <= innerHeight;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href*="#"]')].filter((link) => {
    const target = link.hash.length > 1 ? document.getElementById(link.hash.slice(1)) : null;
    return (
      target !== null && (target.contains(navigation) || navigation.contains(target)) && !target.matches('main, #root')
    );
  });
  return isInWindow(navigation) || links.some(isInWindow)
    ? []
    : ['no link at the top leads to the navigation at the foot'];
}

export const withoutScript: Situation = {
  title: 'without scripts a user logs in, reads a class, searches, finds the navigation and logs out',
  needs: 'no script',
  isChromiumOnly: true,
  async check(page) {
    const browser = page.chromium!;
    const faults: string[] = [];
    await page.resize({ width: 1280, height: 800 });
    await browser.goto('/login');
    await browser.getByLabel('Email').fill('head@willowbank.example');
    await browser.getByLabel('Password', { exact: true }).fill('reading-1');
    await browser.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect(browser.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
    const pupils = browser.getByRole('rowheader');
    await browser.goto('/classes/2');
    if ((await pupils.count()) === 0) faults.push('/classes/2: the pupils of the class are missing');
    for (const size of SIZES) {
      await page.resize(size);
      faults.push(
        ...(await run(page, findHiddenNavigation)).map((fault) => `${at({ path: '/classes/2' }, size)}: ${fault}`),
      );
      await page.picture('without scripts on /classes/2');
    }
    await browser.goto('/pupils');
    const search = browser.getByRole('searchbox', { name: 'Search by name or username' });
    await search.fill('wisniewski');
    await search.press('Enter');
    if (!(await page.becomes(async () => (await pupils.count()) === 1)))
      faults.push('/pupils: the search finds no pupil');
    await browser.getByRole('button', { name: 'Log out' }).click();
    await expect(browser.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
    await browser.goto('/pupils');
    if (!browser.url().includes('/login')) faults.push('/pupils: opens after Log out');
    return faults;
  },
};
