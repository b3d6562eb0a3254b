import type { Browser } from '@playwright/test';
import { expect, expectAccessible, fillLogin, mailedLink, test } from './portal.ts';
import { buildSchool } from './school.ts';
import type { Portal } from './server.ts';

/** Another browser, with its own cookies. */
const openBrowser = async (browser: Browser, portal: Portal) =>
  (await browser.newContext({ baseURL: portal.url })).newPage();

test('a user sees where they are logged in, and logs out another browser', async ({ page, browser, portal }) => {
  const { admin } = await buildSchool(portal);
  const other = await openBrowser(browser, portal);
  await fillLogin(other, admin);
  await fillLogin(page, admin);
  await page.getByRole('link', { name: 'My details' }).click();
  await page.getByRole('link', { name: 'Security' }).click();
  const devices = page.getByRole('region', { name: 'Where you are logged in' }).getByRole('listitem');
  await expect(devices.filter({ hasText: 'Chrome on Linux' })).toHaveCount(2);
  await expect(devices.filter({ hasText: 'This device' })).toHaveCount(1);
  await expectAccessible(page);

  await page.getByRole('button', { name: /^Log out Chrome on Linux/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByText('Chrome on Linux has been logged out')).toBeVisible();
  await expect(devices.filter({ hasText: 'Chrome on Linux' })).toHaveCount(1);
  await other.goto('/school');
  await expect(other).toHaveURL(/\/login/);
  await page.goto('/school');
  await expect(page).toHaveURL(/\/school$/);
});

test('a login in a new browser is announced by email, and its link logs that browser out', async ({
  page,
  browser,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  await fillLogin(page, admin);
  const link = await mailedLink(portal, admin, '/end-session/');

  const owner = await openBrowser(browser, portal);
  await owner.goto(link);
  await expect(owner.getByRole('heading', { level: 1, name: 'Log out a device' })).toBeVisible();
  await expectAccessible(owner);
  // Opening the link changes nothing.
  await page.goto('/school');
  await expect(page).toHaveURL(/\/school$/);
  await owner.getByRole('button', { name: 'Log out that device' }).click();
  await expect(owner.getByText('The device has been logged out.')).toBeVisible();
  await expect(owner.getByRole('link', { name: 'Choose a new password' })).toBeVisible();
  await expectAccessible(owner);
  await page.goto('/school');
  await expect(page).toHaveURL(/\/login/);

  await owner.goto(link);
  await owner.getByRole('button', { name: 'Log out that device' }).click();
  await expect(owner.getByText('This link has expired or has already been used.')).toBeVisible();
  await expectAccessible(owner);
});
