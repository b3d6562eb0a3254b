import { expect, expectAccessible, fillLogin, mailedLink, openBrowser, test } from './portal.ts';
import { buildSchool } from './school.ts';

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
  await expect(owner.getByText('The device has been logged out.').first()).toBeVisible();
  await expect(owner.getByRole('link', { name: 'Choose a new password' })).toBeVisible();
  await expectAccessible(owner);
  await page.goto('/school');
  await expect(page).toHaveURL(/\/login/);

  await owner.goto(link);
  await owner.getByRole('button', { name: 'Log out that device' }).click();
  await expect(owner.getByText('This link has expired or has already been used.')).toBeVisible();
  await expectAccessible(owner);
});
