import type { Page } from '@playwright/test';
import { expect, expectAccessibleInBothSchemes, expectLoaded, people, test } from './portal.ts';
import { adminScreens, guestScreens, listenForComplaints, type Screen } from './screen-list.ts';

/** From a laptop to the narrowest phone; axe looks at the first and the second. */
const WIDTHS = [1280, 375, 320];

/** Charts take their new width a moment after the window has it. */
const expectNoSidewaysScroll = (page: Page, path: string): Promise<void> =>
  expect
    .configure({ soft: true, message: `sideways scroll on ${path} at ${page.viewportSize()?.width} px` })
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
    .toBeLessThanOrEqual(0);

/** Opens the screens one after the other on one page, and looks at each at every width. The browser has nothing to say. */
async function expectGoodScreens(page: Page, screens: Screen[]): Promise<void> {
  for (const [name, path, heading] of screens)
    await test.step(name, async () => {
      await page.setViewportSize({ width: WIDTHS[0]!, height: 900 });
      const complaints = listenForComplaints(page);
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expectLoaded(page);
      expect.soft(complaints.stop()).toEqual([]);
      for (const [index, width] of WIDTHS.entries()) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoSidewaysScroll(page, path);
        if (index < 2) await expectAccessibleInBothSchemes(page);
      }
    });
}

test('login is accessible, with its notice and with its errors', async ({ page }) => {
  await page.goto('/login?action=decline');
  await expect(page.getByText('You have declined the invitation')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('There is a problem')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 375, height: 900 });
  await expectAccessibleInBothSchemes(page);
});

test('screens of guests are accessible and never scroll sideways', ({ page }) => expectGoodScreens(page, guestScreens));

// In parts, so that the workers share them.
for (const [index, part] of [adminScreens.slice(0, 9), adminScreens.slice(9)].entries())
  test(`screens of an admin are accessible and never scroll sideways, part ${index + 1}`, async ({ logIn }) =>
    expectGoodScreens(await logIn(people.admin), part));
