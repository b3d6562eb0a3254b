import type { Page } from '@playwright/test';
import { expect, expectLoaded, people, test } from './portal.ts';

/** Marks and boxes beside text. */
const MARKS =
  '.tabler-icon, summary:has(> .tabler-icon), button:has(> .tabler-icon), input:is([type=checkbox], [type=radio])';

/** The heights of the visible marks in pixels, by their place in the document. */
const heightsOf = (page: Page) =>
  page
    .locator(MARKS)
    .evaluateAll((marks) => marks.map((mark) => (mark.checkVisibility() ? mark.getBoundingClientRect().height : 0)));

test('icons, boxes and buttons grow with the text size of the browser', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  const browser = await page.context().newCDPSession(page);
  const setTextSize = (standard: number) => browser.send('Page.setFontSizes', { fontSizes: { standard } });
  for (const path of ['/', '/pupils', '/classes/2', '/classes/2/books', '/school/data'])
    await test.step(path, async () => {
      await page.goto(path);
      await expectLoaded(page);
      const usual = await heightsOf(page);
      await setTextSize(32);
      const large = await heightsOf(page);
      await setTextSize(16);
      const grown = usual.flatMap((height, index) => (height && large[index] ? [large[index] / height] : []));
      expect(grown.length).toBeGreaterThan(5);
      expect.soft(Math.min(...grown), path).toBeGreaterThan(1.9);
    });
});

test('Log out stays in the window when the text of a page is twice as large', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  const logOut = page.getByRole('banner').getByRole('button', { name: 'Log out' });
  const size = await page.evaluateHandle(() => document.documentElement.style);
  await size.evaluate((style) => (style.fontSize = '200%'));
  for (const width of [1280, 768, 375]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => ((await logOut.boundingBox())?.width ?? 0) > 80).toBe(true);
    const box = (await logOut.boundingBox())!;
    expect.soft(box.x + box.width, `right edge at ${width} px`).toBeLessThanOrEqual(width);
  }
});
