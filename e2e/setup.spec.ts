import { expect, expectAccessible, registerSchool, submitLogin, test } from './portal.ts';

test.use({ timezoneId: 'Europe/London' });

const email = 'founder@oak-row.example';

test('a school without accepted terms is confirmed step by step before use', async ({ page, portal }) => {
  await registerSchool(portal, email, { hasTerms: false });
  await page.goto('/login?redirect=%2Fpupils');
  await submitLogin(page, email);
  await expect(page).toHaveURL(/\/confirm\/details$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Confirm School Details' })).toBeVisible();
  await expect(page.getByLabel('School name')).toHaveValue('Oak Row Primary');
  await expectAccessible(page);
  await page.goto('/pupils');
  await expect(page).toHaveURL(/\/confirm\/details$/);

  await page.getByLabel('Address line 1').fill('3 Oak Row');
  await page.getByLabel('Postcode').fill('ec1a 1bb');
  await page.getByLabel('Phone').fill('ring the office');
  await page.getByRole('button', { name: 'Confirm and continue' }).click();
  await expect(page.getByRole('link', { name: 'A phone number has only plus signs and digits.' })).toBeVisible();
  await page.getByLabel('Phone').fill('+442079460000');
  await page.getByRole('button', { name: 'Confirm and continue' }).click();

  await expect(page).toHaveURL(/\/confirm\/eula$/);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('I accept the licence agreement').check();
  await page.getByLabel('I accept the terms and conditions').check();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Choose a package' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Choose a package' })).toBeVisible();
});

test('a set-up link lets the user choose a password, once, when its button is pressed', async ({
  page,
  portal,
  browser,
}) => {
  await registerSchool(portal, 'begins@oak-row.example');
  const link = await portal.operator('set-up', 'begins@oak-row.example');
  // A mail scanner runs the scripts of the page, and does not press its button.
  const scanner = await browser.newPage();
  await scanner.goto(link);
  await expect(scanner.getByRole('button', { name: 'Continue' })).toBeEnabled();
  await page.goto(link);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Create new password' })).toBeVisible();
  await scanner.getByRole('button', { name: 'Continue' }).click();
  await expect(scanner.getByText('This token is no longer authorised')).toBeVisible();
  await scanner.close();
  await page.goto('/classes');
  await expect(page).toHaveURL(/\/setup$/);
  await expectAccessible(page);
  await page.getByLabel('New password').fill('1234567');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toBeVisible();
  await page.getByLabel('New password').fill('kettle over 7 hills');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Dashboard/ })).toBeVisible();

  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login/);
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('This token is no longer authorised')).toBeVisible();
});
