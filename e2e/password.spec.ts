import { expect, expectAccessible, registerSchool, mailedLink, submitLogin, test } from './portal.ts';

const EMAIL = 'forgets@oak-row.example';
const NEW_PASSWORD = 'kettle over 7 hills';

test('a forgotten password can be replaced once with the emailed link', async ({ page, portal }) => {
  await registerSchool(portal, EMAIL);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgotten Password' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Forgotten Password' })).toBeVisible();
  await page.getByLabel('Email').fill('nobody@nowhere.example');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('link', { name: 'Sorry, that email is not registered with us.' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('An email with your new password has been sent to your address.').first()).toBeVisible();
  await expectAccessible(page);

  const link = await mailedLink(portal, EMAIL, '/password/reset');
  await page.goto(link);
  const field = page.getByLabel('New password', { exact: true });
  await expect(field).toBeEnabled();
  await field.fill(NEW_PASSWORD);
  await page.getByLabel('New password again').fill('something else');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('link', { name: 'The two passwords are not the same.' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('New password again').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('link', { name: 'Go to login' }).click();
  await submitLogin(page, EMAIL, NEW_PASSWORD);
  await expect(page.getByRole('banner').getByText('ADMIN')).toBeVisible();

  await page.goto(link);
  await expect(page, 'a logged-in user keeps the query').toHaveURL(/\/subscription\?token=/);
  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login/);
  await page.goto(link);
  await expect(page.getByText('Sorry, the token has expired.')).toBeVisible();
  await expect(field).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Click here to try again.' }).click();
  await expect(page).toHaveURL(/\/password\/forgotten$/);
});
