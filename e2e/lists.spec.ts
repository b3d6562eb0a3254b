import type { Page } from '@playwright/test';
import { expect, expectListening, test } from './portal.ts';
import { buildSchool } from './school.ts';

const NAMES = ['Ada Finch', 'Ben Crane', 'Cleo Wren', 'Dev Heron', 'Elin Rook', 'Finn Dove', 'Gia Kite', 'Hal Swift'];
const plan = { classes: { 'Year 3 Otters': NAMES } };

const IPAD = { width: 1024, height: 768 };
const LAPTOP = { width: 1280, height: 800 };
/** A laptop at a zoom of 400 %. */
const LOW = { width: 320, height: 256 };

const bar = (page: Page) => page.locator('.sticky-bar');
const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });

/** The distance in px of the bar's lower edge from that of the window. */
const distanceFromFoot = (page: Page) =>
  bar(page).evaluate((element) => window.innerHeight - element.getBoundingClientRect().bottom);

test('“Select all” is visible in a table and above cards, and keeps its rows when a tablet is turned', async ({
  logIn,
  portal,
}) => {
  const { admin, classes } = await buildSchool(portal, plan);
  const page = await logIn(admin, '/pupils');
  await page.setViewportSize(IPAD);
  await expectListening(page);
  await expect(page.getByRole('columnheader', { name: 'Username' })).toBeVisible();
  await box(page, 'Select all on this page').click();
  await expect(page.getByText('8 of 8 selected')).toBeVisible();

  await page.setViewportSize({ width: 600, height: 800 });
  await expect(page.getByRole('columnheader', { name: 'Username' })).toBeHidden();
  await expect(box(page, 'Select all')).toBeChecked();
  await box(page, 'Select Ada Finch').click();
  await expect(page.getByText('7 of 8 selected')).toBeVisible();
  await page.setViewportSize(IPAD);
  await expect(box(page, 'Select Ada Finch')).not.toBeChecked();
  await expect(box(page, 'Select Ben Crane')).toBeChecked();

  // A class has more columns.
  await page.goto(`/classes/${classes.get('Year 3 Otters')}`);
  await expectListening(page);
  await expect(page.getByRole('columnheader', { name: 'Username' })).toBeHidden();
  await box(page, 'Select all').click();
  await expect(page.getByText('8 of 8 selected')).toBeVisible();
});

test('cards have no invisible stops: “Select all”, the order, then the first pupil', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal, plan);
  const page = await logIn(admin, '/pupils');
  await page.setViewportSize({ width: 600, height: 800 });
  await expectListening(page);
  await box(page, 'Select all').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Sort by')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(box(page, 'Select Ada Finch')).toBeFocused();
});

test('the bar of a selection sticks with the first ticked row, and not in a low window', async ({ logIn, portal }) => {
  const { admin, classes } = await buildSchool(portal, plan);
  const page = await logIn(admin, `/classes/${classes.get('Year 3 Otters')}`);
  await page.setViewportSize({ ...LAPTOP, height: 500 });
  await expectListening(page);
  await expect(bar(page)).toContainText('0 of 8 selected');
  expect(await distanceFromFoot(page)).toBeLessThan(0);
  await box(page, 'Select Ada Finch').click();
  await expect.poll(() => distanceFromFoot(page)).toBeGreaterThan(0);

  // The focus stays out from under it.
  for (const name of NAMES) {
    await box(page, `Select ${name}`).focus();
    const [row, edge] = await Promise.all([box(page, `Select ${name}`).boundingBox(), bar(page).boundingBox()]);
    expect(row!.y + row!.height, name).toBeLessThanOrEqual(edge!.y);
  }

  await page.setViewportSize(LOW);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect.poll(() => distanceFromFoot(page)).toBeLessThan(0);
  await expect(page.locator('.sticky-header')).toHaveCSS('position', 'static');
});
