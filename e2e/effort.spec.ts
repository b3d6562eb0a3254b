import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, people, test } from './portal.ts';
import { buildSchool } from './school.ts';

const DOCUMENT = join(import.meta.dirname, 'effort.md');

/** Thirty pupils of two classes, as copied from a spreadsheet. */
const THIRTY = [
  'Name\tClass',
  ...Array.from({ length: 30 }, (_, index) => {
    const letter = String.fromCharCode(97 + (index % 26));
    return `Pupil${letter} Family${letter}${index < 26 ? '' : 'son'}\t${index < 15 ? '3 Wrens' : '4 Larks'}`;
  }),
].join('\n');

/** Counts clicks and key presses, across the pages of a task. */
async function countEffort(page: Page): Promise<{ begin: () => Promise<void>; end: () => Promise<string> }> {
  await page.addInitScript(() => {
    for (const type of ['pointerdown', 'keydown'])
      window.addEventListener(
        type,
        ({ isTrusted }) => {
          const counted = Number(sessionStorage.getItem(type));
          if (isTrusted) sessionStorage.setItem(type, String(counted + 1));
        },
        true,
      );
  });
  return {
    begin: async () => {
      await page.reload();
      await expect(page.getByRole('banner')).toBeVisible();
      await page.evaluate(() => ['pointerdown', 'keydown'].forEach((type) => sessionStorage.setItem(type, '0')));
    },
    end: () => page.evaluate(() => `${sessionStorage.getItem('pointerdown')} | ${sessionStorage.getItem('keydown')}`),
  };
}

test('everyday tasks take the numbers of clicks and keys in effort.md', async ({ logIn, portal }) => {
  const rows: string[] = [];
  const names = ['Ada Finch', 'Ben Crane', 'Cleo Wren', 'Dev Heron', 'Elin Rook', 'Fay Swift'];
  const { admin, classes, pupils } = await buildSchool(portal, {
    classes: { 'Year 4 Larks': names, 'Year 5 Jays': ['Gus Kite'], 'Year 6 Owls': ['Hal Raven'] },
  });
  const page = await logIn(admin, `/pupils/${pupils.get('Ada Finch')}`);
  const effort = await countEffort(page);
  const dialog = page.getByRole('dialog');
  const task = async (name: string, work: () => Promise<void>) => {
    await effort.begin();
    await test.step(name, work);
    rows.push(`| ${name} | ${await effort.end()} |`);
  };

  await task('Forgotten password, from the pupil’s page to the card on the screen', async () => {
    await page.getByRole('button', { name: 'RESET PASSWORD' }).click();
    await dialog.getByRole('button', { name: 'Make new card' }).click();
    await expect(page.getByRole('article', { name: 'Login card for Ada Finch' })).toBeVisible();
  });
  await page.reload();
  await expect(page.getByText('You made a new login card')).toBeVisible();

  await page.goto(`/classes/${classes.get('Year 4 Larks')}`);
  await task('Five pupils of a class moved to another', async () => {
    await page.getByRole('checkbox', { name: 'Select Ada Finch' }).click();
    await page.getByRole('checkbox', { name: 'Select Elin Rook' }).click({ modifiers: ['Shift'] });
    await expect(page.getByText('5 of 6 selected')).toBeVisible();
    await page.getByRole('button', { name: 'Change Class' }).click();
    await expect(dialog.getByLabel('New class')).toBeFocused();
    await page.keyboard.type('Year 5');
    await dialog.getByRole('button', { name: 'Change class' }).click();
    await expect(page.getByText('5 pupils moved to Year 5 Jays')).toBeVisible();
  });

  await page.goto('/teachers');
  await task('A colleague invited with a class, besides the address', async () => {
    await page.getByRole('link', { name: 'Add Teacher' }).first().click();
    await page.getByLabel('Email of teacher 1').click();
    await page.getByLabel('Email of teacher 1').fill('new.colleague@oak-row.example');
    await page.getByLabel('Class (optional)').focus();
    await page.keyboard.type('Year 6');
    await page.getByLabel('Email of teacher 1').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Copy the link for new.colleague@oak-row.example' })).toBeVisible();
  });

  await page.goto('/classes');
  await task('The year end of three classes', async () => {
    await page.getByRole('link', { name: 'Year end' }).click();
    await expect(page.getByLabel('New name of Year 4 Larks')).toHaveValue('Year 5 Larks');
    await page.getByRole('button', { name: 'Carry out the year end' }).click();
    await dialog.getByRole('button', { name: 'Carry out the year end' }).click();
    await expect(page.getByText('2 classes moved up and 1 pupil left')).toBeVisible();
  });

  const fresh = await buildSchool(portal);
  await logIn(fresh.admin, '/');
  await task('A new school with thirty pupils and their cards, besides one paste', async () => {
    await page.getByRole('link', { name: 'Add pupils' }).click();
    const box = page.getByLabel('Or paste the cells');
    await box.click();
    // Like a paste: the text appears at once, without key presses.
    await box.evaluate((element, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, THIRTY);
    await page.getByRole('button', { name: 'Add 30 pupils', exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Logins', exact: true }).click();
    await download;
    await expect(dialog.getByLabel('I have downloaded the files')).toBeChecked();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('table', { name: 'Pupils' })).toBeVisible();
  });

  await logIn(people.teacher, '/');
  await task('Who of the own class has not read this week', async () => {
    // On a Monday morning that is every pupil, and in a good week none.
    await expect(
      page
        .getByRole('heading', { name: /^Not read since / })
        .or(page.getByText(/^(All \d+|\d+ of \d+|No one) (has |have )?read (last|this|yet this) week/))
        .first(),
    ).toBeVisible();
  });
  await task('The last half-term of the own class', async () => {
    await page.locator('summary').filter({ hasText: 'This month' }).click();
    await page.getByRole('link', { name: 'Last half-term', exact: true }).click();
    await expect(page.locator('summary').filter({ hasText: 'Last half-term' })).toBeVisible();
  });

  const document = readFileSync(DOCUMENT, 'utf8');
  const written = document.replace(/(\|---\|---\|---\|\n)(\|.*\n)*/, `$1${rows.join('\n')}\n`);
  if (process.env.WRITE_EFFORT) writeFileSync(DOCUMENT, written);
  else expect(document).toBe(written);
});
