import type { Page } from '@playwright/test';
import { expect, expectAccessibleInBothSchemes, expectLoaded, people, savePdf, test } from './portal.ts';

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Words to practise/ });

async function expectPdf(page: Page, button: string, fileName: string): Promise<void> {
  expect(await savePdf(page, dialogOf(page).getByRole('button', { name: button }))).toBe(fileName);
}

test('words to practise are chosen and printed for a class, a pupil and several pupils', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  const words = dialogOf(page).getByRole('group', { name: 'Words to print' }).getByRole('checkbox');

  await test.step('of a class, without common words and without one that is unticked', async () => {
    await page.goto('/?class=2&from=2026-01-01&to=2026-03-31');
    await expectLoaded(page);
    await page
      .getByRole('region', { name: 'Words this class struggles with' })
      .getByRole('button', { name: 'Print words' })
      .click();
    await expect(words.first()).toBeChecked();
    await expectAccessibleInBothSchemes(page);
    const all = await words.count();
    await dialogOf(page).getByLabel('Leave out common words').check();
    await expect.poll(() => words.count()).toBeLessThan(all);
    await words.first().uncheck();
    await expectPdf(page, 'Print sheet', 'words-sheet.pdf');
    await expectPdf(page, 'Print flashcards', 'words-flashcards.pdf');
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toBeHidden();
  });

  await test.step('of a pupil, from their page', async () => {
    await page.goto('/pupils?groups=2');
    await expectLoaded(page);
    await page.locator('tbody').getByRole('link').first().click();
    await page.waitForURL(/\/pupils\/\d+/);
    await page.goto(`${new URL(page.url()).pathname}?from=2026-01-01&to=2026-03-31`);
    await page.getByRole('region', { name: 'Words to practise' }).getByRole('button', { name: 'Print words' }).click();
    await expect(words.first()).toBeChecked();
    await expectPdf(page, 'Print tick list', 'words-tick_list.pdf');
  });

  await test.step('of several pupils, from the list', async () => {
    await page.goto('/pupils?groups=2');
    await expectLoaded(page);
    for (const box of (await page.getByRole('checkbox', { name: /^Select / }).all()).slice(1, 4)) await box.check();
    await page.getByRole('button', { name: 'Print words' }).click();
    await expect(page.getByRole('dialog', { name: 'Words to practise: 3 pupils' })).toBeVisible();
  });
});
