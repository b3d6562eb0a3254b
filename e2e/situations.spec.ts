import { sampled } from './breadth.ts';
import { expect, test } from './portal.ts';
import { situations } from './situations/all.ts';
import { openInChromium } from './situations/in-chromium.ts';
import { situationScreens } from './situations/screens.ts';

for (const { title, needs, check } of situations)
  test(title, async ({ browser, portal }) => {
    const page = await openInChromium(browser, portal.url, needs);
    const faults = await check(page, sampled(situationScreens));
    await page.close();
    expect(faults).toEqual([]);
  });
