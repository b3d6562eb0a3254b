import type { Page } from '@playwright/test';
import { expect, people, test } from './portal.ts';

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
