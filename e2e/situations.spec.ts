import { expect, test } from './portal.ts';
import { situations } from './situations/all.ts';
import { openInChromium } from './situations/in-chromium.ts';
import { situationScreens } from './situations/screens.ts';

/** One of each kind. `npm run browsers` checks all. */
const SCREENS = situationScreens.filter((_, index) => index % 5 === 0);

for (const { title, needs, check } of situations)
  test(title, async ({ browser, portal }) => {
    const page = await openInChromium(browser, portal.url, needs);
    const faults = await check(page, SCREENS);
    await page.close();
    expect(faults).toEqual([]);
  });
