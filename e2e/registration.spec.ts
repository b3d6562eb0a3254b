import { expect, expectAccessible, people, test } from './portal.ts';

test.use({ timezoneId: 'Europe/London' });

test('a visitor registers a school and is logged in as its admin', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Register & Subscribe' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Register' })).toBeVisible();
  await page.goto('/register-school');

  await page.getByLabel('Postcode').fill('nowhere');
  await page.getByRole('button', { name: 'Register school' }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary).toBeFocused();
  for (const text of [
    'Enter the name of the school.',
    'The Postcode is invalid',
    "Tick 'Accept EULA'.",
    "Tick 'Accepts Ts and Cs'.",
  ])
    await expect(summary.getByText(text)).toBeVisible();
  await expectAccessible(page);
  await summary.getByRole('link', { name: 'The Postcode is invalid' }).click();
  await expect(page.getByLabel('Postcode')).toBeFocused();

  await page.getByLabel('School name').fill('Hazel Lane Primary');
  await page.getByLabel('URN (optional)').fill('123456');
  await page.getByLabel('Contact name').fill('Rosa Field');
  await page.getByLabel('Address line 1').fill('1 Hazel Lane');
  await page.getByLabel('Postcode').fill('sw1a1aa');
  await page.getByLabel('Phone').fill('+44 20 7946 0000');
  await page.getByLabel('First name').fill('Rosa');
  await page.getByLabel('Last name').fill('Field');
  await page.getByLabel('Email', { exact: true }).fill(people.admin.toUpperCase());
  await page.getByLabel('Password', { exact: true }).fill('hazel lantern 9');
  await page.getByLabel('Accept EULA').check();
  await page.getByLabel('Accepts Ts and Cs').check();
  await page.getByRole('button', { name: 'Register school' }).click();
  await expect(page.getByRole('link', { name: 'Duplicate email' })).toBeVisible();
  await expect(page.getByLabel('School name')).toHaveValue('Hazel Lane Primary');

  await page.getByLabel('Email', { exact: true }).fill('rosa@hazel-lane.example');
  await page.getByRole('button', { name: 'Register school' }).click();
  await expect(page).toHaveURL(/\/select-subscription$/);
  await page.goto('/pupils');
  await expect(page, 'nothing else opens before a package is chosen').toHaveURL(/\/select-subscription$/);
  await page.getByRole('button', { name: 'Start free trial' }).click();
  await expect(page.getByText('Your free trial has started')).toBeVisible();
  await expect(page.getByRole('banner').getByText('ADMIN')).toBeVisible();
  await expect(page.getByRole('banner').getByText('Rosa Field')).toBeVisible();
});

test('a user registers an account first and then the school', async ({ page }) => {
  await page.goto('/register');
  await page.getByLabel('First name').fill('Tom');
  await page.getByLabel('Last name').fill('Ash');
  await page.getByLabel('Email').fill('tom@ash-tree.example');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await expect(page.getByText('Strength: too short').first()).toBeVisible();
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('link', { name: 'A password has at least 7 characters.' })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('lantern under 4 elms');
  await expect(page.getByText('Strength: strong').first()).toBeVisible();
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page).toHaveURL(/\/subscription\/register$/);
  await expect(page.getByRole('heading', { level: 1, name: 'You are registered' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Register your school' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
  await page.getByLabel('School name').fill('Ash Tree School');
  await page.getByLabel('Address line 1').fill('2 Ash Row');
  await page.getByLabel('Postcode').fill('M1 1AE');
  await page.getByLabel('Phone').fill('01614960000');
  await page.getByLabel('Accept EULA').check();
  await page.getByLabel('Accepts Ts and Cs').check();
  await page.getByRole('button', { name: 'Register school' }).click();
  await expect(page).toHaveURL(/\/select-subscription$/);
  await page.getByRole('button', { name: 'Start free trial' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Dashboard/ })).toBeVisible();
});
