import type { Locator, Page } from '@playwright/test';
import {
  callApi,
  expect,
  expectAccessibleInBothSchemes,
  expectAccessibleInTheDark,
  expectLoaded,
  people,
  test,
  tickBox,
} from './portal.ts';
import { sampled } from './breadth.ts';
import { addOperator, buildSchool, logInAsOperator } from './school.ts';
import { expectSoundLayout } from './layout.ts';
import { expectNoIbmViolations } from './valid-html.ts';
import {
  adminScreens,
  guestScreens,
  operatorScreens,
  collectConsoleErrors,
  listenForReads,
  type Screen,
} from './screen-list.ts';

/**
 * A desktop, a small laptop, a tablet in both orientations, a desktop at 200 % zoom, and two phones. axe checks the first in
 * both colour schemes and a phone in dark mode.
 */
const SIZES = [
  { width: 1280, height: 900, checkAccessibility: expectAccessibleInBothSchemes },
  { width: 1366, height: 650 },
  { width: 1180, height: 820 },
  { width: 768, height: 1024 },
  { width: 640, height: 450 },
  { width: 375, height: 800, checkAccessibility: expectAccessibleInTheDark },
  { width: 320, height: 640 },
];

/** The browser's default is 16 px. */
const LARGE_TEXT_PX = 32;

/** Sets the text size in the browser's settings to double, and checks a desktop and a tablet. */
async function expectFitsWithLargeText(page: Page, path: string): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: LARGE_TEXT_PX } });
  for (const { width, height } of [SIZES[0]!, SIZES[3]!]) {
    await page.setViewportSize({ width, height });
    await expectSoundLayout(page, `${path} with large text`);
  }
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
  await browser.detach();
}

/** Resizes the page and checks it at every size. */
async function expectGoodAtEverySize(page: Page, path: string): Promise<void> {
  for (const { width, height, checkAccessibility } of SIZES) {
    await page.setViewportSize({ width, height });
    await expectSoundLayout(page, path);
    await checkAccessibility?.(page);
  }
}

async function expectSoundLayoutAtEverySize(page: Page, path: string): Promise<void> {
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    await expectSoundLayout(page, path);
  }
}

/** Opens the screens one by one and checks each at every size. Fails on console errors and on unexpected requests. */
async function expectGoodScreens(page: Page, screens: Screen[]): Promise<void> {
  for (const [name, path, heading] of screens)
    await test.step(name, async () => {
      await page.setViewportSize(SIZES[0]!);
      const consoleErrors = collectConsoleErrors(page);
      const reads = listenForReads(page, path);
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expectLoaded(page);
      expect.soft([...consoleErrors.stop(), ...reads.stop()]).toEqual([]);
      await expectGoodAtEverySize(page, path);
      await expectFitsWithLargeText(page, path);
      await page.setViewportSize(SIZES[0]!);
      await expectNoIbmViolations(page);
    });
}

test('the login is accessible, with a notice and with errors', async ({ page }) => {
  await page.goto('/login?action=decline');
  await expect(page.getByText('You have declined the invitation').first()).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('There is a problem')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 375, height: 900 });
  await expectAccessibleInBothSchemes(page);
});

test('screens for guests are accessible and fit every window', ({ page }) =>
  expectGoodScreens(page, sampled(guestScreens)));

test('screens for operators are accessible and fit every window', async ({ page, portal }) => {
  await logInAsOperator(page, await addOperator(portal, 'Olive Marsh'));
  await expectGoodScreens(page, sampled(operatorScreens));
});

// In parts, so that workers can share them.
const PARTS = 4;
const parts = Array.from({ length: PARTS }, (_, part) =>
  sampled(adminScreens).filter((__, index) => index % PARTS === part),
);
for (const [index, part] of parts.entries())
  test(`screens for admins are accessible and fit every window, part ${index + 1}`, async ({ logIn }) =>
    expectGoodScreens(await logIn(people.admin), part));

test('long names fit every window, including menus and dialogs', async ({ logIn, portal }) => {
  const className = 'Year 4 Kingfishers and Owls with Mrs Ó Bé';
  const child = 'Wilhelmina-Featherstonehaugh Cholmondeley-Wriothesley-Beaucha';
  const { id, admin, token, classes, pupils } = await buildSchool(portal, {
    classes: { [className]: ['Nguyễn Thị Thảo Vy', child] },
    teacher: ['Aleksandra-Konstancja', 'Brzęczyszczykiewicz-Featherstonehaugh'],
  });
  const colleague = { email: ['konstantin.brzeczyszczykiewicz@oak-row-primary.example'], name: [child] };
  await callApi(portal, 'POST', `/enterprises/${id}/invites`, colleague, token);
  const page = await logIn(admin, '/account');
  const classPath = `/classes/${classes.get(className)}`;
  const open: Record<string, (() => Promise<unknown>) | undefined> = {
    '/teachers': () => page.getByLabel(/^Actions for Aleksandra/).click(),
    '/classes': () => page.getByLabel(`Actions for ${className}`).click(),
    [classPath]: () => tickBox(page.getByRole('checkbox', { name: `Select ${child}` })),
    [`/pupils/${pupils.get(child)}`]: () => page.getByRole('button', { name: 'RESET PASSWORD' }).click(),
    '/': () => page.keyboard.press('Control+k'),
  };
  for (const path of ['/pupils', `${classPath}/books`, '/school', ...Object.keys(open)])
    await test.step(path, async () => {
      await page.setViewportSize(SIZES[0]!);
      await page.goto(path);
      await expectLoaded(page);
      await open[path]?.();
      await expectSoundLayoutAtEverySize(page, path);
    });
});

test('the first chart and the first pupil of a class need little scrolling', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  await page.setViewportSize({ width: 1280, height: 800 });
  const topOf = async (path: string, first: Locator) => {
    await page.goto(path);
    await expectLoaded(page);
    return (await first.boundingBox())?.y;
  };
  const chart = page.getByRole('region', { name: 'Accuracy over time', exact: true });
  for (const path of ['/', '/?class=2']) expect.soft(await topOf(path, chart), path).toBeLessThan(800);
  const row = page.getByRole('table', { name: /^Pupils of/ }).getByRole('row');
  expect.soft(await topOf('/classes/2', row.nth(1)), 'class').toBeLessThan(500);
});
