import type { Page } from '@playwright/test';
import { expect, expectListening, people, test } from './portal.ts';
import { readShifts, recordShifts } from './layout-shifts.ts';

const FONT = '**/public-sans-*.woff2';
const PUBLIC_SANS = [expect.stringMatching(/^Public Sans/)];

/** Holds back Public Sans. Returns what lets it arrive, which resolves when the browser has it. */
async function holdBackFont(page: Page): Promise<() => Promise<unknown>> {
  const { promise: fontIsDue, resolve: sendFont } = Promise.withResolvers<void>();
  await page.route(FONT, async (route) => {
    await fontIsDue;
    await route.continue();
  });
  const arrival = page.waitForResponse(FONT);
  return async () => {
    sendFont();
    await (await arrival).finished();
  };
}

/** The names of the fonts in which Chromium shows the heading of a screen. */
async function fontsOfHeading(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName }) => familyName);
}

test('a font that arrives late moves nothing, and is shown from the next screen on', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  await page.addInitScript(recordShifts);
  const sendFont = await holdBackFont(page);
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await expectListening(page);
  await sendFont();
  await page.waitForLoadState('networkidle');
  expect(await fontsOfHeading(page)).not.toEqual(PUBLIC_SANS);
  expect(await readShifts(page)).toEqual([]);

  await page.getByRole('link', { name: 'Pupils', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Pupils', level: 1 })).toBeVisible();
  await expect.poll(() => fontsOfHeading(page)).toEqual(PUBLIC_SANS);
});

test('a font that arrives before the first frame is shown on the first screen', async ({ page }) => {
  // The first request for a frame is that of the script in index.html, whose first frame never ends.
  await page.addInitScript(() => {
    const request = window.requestAnimationFrame.bind(window);
    let isFirst = true;
    window.requestAnimationFrame = (callback) => {
      if (!isFirst) return request(callback);
      isFirst = false;
      return 0;
    };
  });
  await page.goto('/login');
  await expect.poll(() => fontsOfHeading(page)).toEqual(PUBLIC_SANS);
});

test('a font that cannot be loaded leaves the font of the system, without an error', async ({ page }) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.route(FONT, (route) => route.abort());
  await page.goto('/login');
  await page.waitForLoadState('networkidle');
  expect(await fontsOfHeading(page)).not.toEqual(PUBLIC_SANS);
  expect(errors).toEqual([]);
});
