import type { Page } from '@playwright/test';
import { expect, expectAccessible, people, test } from './portal.ts';

const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY));
const rows = (page: Page) => page.getByRole('table', { name: 'Pupils' }).getByRole('row');

test('somebody who looks at a pupil comes back to the same place of a long list', async ({ logIn }) => {
  const page = await logIn(people.admin);
  await page.goto('/pupils?per_page=100');
  // The head, and all pupils of the school: the first picture shows fewer.
  await expect(rows(page)).toHaveCount(91);
  const pupil = rows(page).nth(60).getByRole('link').first();
  const name = await pupil.innerText();
  await pupil.hover();
  const place = await scrolled(page);
  expect(place).toBeGreaterThan(1000);
  await pupil.click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
  await expect.poll(() => scrolled(page)).toBe(0);

  await page.goBack();
  await expect(rows(page)).toHaveCount(91);
  await expect.poll(() => scrolled(page)).toBe(place);

  await page.reload();
  await expect(rows(page)).toHaveCount(91);
  await expect.poll(() => scrolled(page)).toBe(place);

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Dashboard');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pupils' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pupils' })).toBeVisible();
  await expect.poll(() => scrolled(page)).toBe(0);
});

test('Ctrl-K finds pupils and classes from anywhere, by keyboard and by pointer', async ({ logIn }) => {
  const page = await logIn(people.admin);
  await page.goto('/account');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Find a pupil or a class' });
  const field = dialog.getByRole('combobox', { name: 'Name or username' });
  await expect(field).toBeFocused();
  await expectAccessible(page);

  await page.keyboard.type('kingf');
  const found = dialog.getByRole('option');
  await expect(found).toHaveText(['Year 4 Kingfishers31 pupils']);
  await field.fill('ki');
  await expect(dialog.getByRole('group', { name: 'Pupils' }).getByRole('option')).toHaveCount(3);
  await expectAccessible(page);
  await expect(found.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Łukasz Wiśniewski');
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Find a pupil or a class' }).click();
  await field.fill('zzq');
  await expect(dialog.getByText('No pupil and no class with “zzq”.')).toBeVisible();
  await field.fill('owls');
  await dialog.getByRole('option', { name: /Year 6 Owls/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Year 6 Owls');

  await page.keyboard.press('Control+k');
  await field.fill('a');
  await dialog.getByRole('option', { name: /All pupils with “a”/ }).click();
  await expect(page).toHaveURL(/\/pupils\?search=a$/);
});

test('a search that fails says so, and works again', async ({ logIn }) => {
  const page = await logIn(people.admin);
  await page.route('**/v1/enterprises/1/readers?*search=*', (route) => route.abort());
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Find a pupil or a class' });
  await dialog.getByRole('combobox').fill('jabl');
  await expect(dialog.getByText('Error: Network Error')).toBeVisible();
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('option', { name: /Dominik Jabłoński/ })).toBeVisible();
});
