import type { Locator, Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import {
  chooseFrom,
  expect,
  expectAccessibleInBothSchemes,
  expectLoaded,
  people,
  saveFile,
  savePdf,
  test,
} from './portal.ts';
import { buildSchool, sendReading } from './school.ts';

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Words to practise/ });

async function expectPdf(page: Page, button: string, fileName: string): Promise<void> {
  expect(await savePdf(page, dialogOf(page).getByRole('button', { name: button }))).toBe(fileName);
}

test('words to practise are chosen and printed for a class, a pupil and several pupils', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  const words = dialogOf(page).getByRole('group', { name: 'Words to print' }).getByRole('checkbox');

  await test.step('of a class, without one that is unticked', async () => {
    await page.goto('/?class=2&from=2026-01-01&to=2026-03-31');
    await expectLoaded(page);
    await page
      .getByRole('region', { name: 'Words this class struggles with' })
      .getByRole('button', { name: 'Print words' })
      .click();
    await expect(words.first()).toBeChecked();
    await expectAccessibleInBothSchemes(page);
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

/** Saves a PDF. Returns the text of each page. */
async function readPages(page: Page, button: Locator): Promise<string[]> {
  const { content } = await saveFile(page, button);
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(content)), { mergePages: false });
  return text;
}

/** `The Wibbly Joke Book`, of level 3, and `Knock, Knock, Hen!`, of level 2. */
const JOKES = 704;
const HEN = 703;
const SHARED = ['jelly', 'doctor', 'wobbly', 'sock', 'split', 'snowman', 'secrets', 'leak'];
const OF_TWO = ['drums', 'neighbours', 'ladder', 'spelling'];
const OF_ONE = ['hippo', 'pencil', 'octopus'];

test('three pupils get the twelve words that most of them share, and books a level below the one that most of them read', async ({
  logIn,
  portal,
}) => {
  const names = ['Ada Finch', 'Ben Crane', 'Cleo Wren'];
  const school = await buildSchool(portal, { classes: { 'Year 4 Larks': [...names, 'Dev Heron'] } });
  const readJokes = (name: string, played_words: string[]) =>
    sendReading(portal, school, name, { book_id: JOKES, last_page: 12, words_attempted: 300, played_words });
  await readJokes('Ada Finch', [...SHARED, ...OF_TWO]);
  await readJokes('Ben Crane', [...SHARED, ...OF_TWO]);
  await readJokes('Cleo Wren', [...SHARED, ...OF_ONE]);
  await sendReading(portal, school, 'Ada Finch', { book_id: HEN });
  const page = await logIn(school.admin, `/classes/${school.classes.get('Year 4 Larks')}`);
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();

  await test.step('the twelve words are ticked, and each button says how many pages it prints', async () => {
    await page.getByRole('button', { name: 'Print words' }).click();
    const dialog = page.getByRole('dialog', { name: 'Words to practise: 3 pupils' });
    await expect(dialog.getByRole('checkbox', { name: 'jelly 3 pupils, hard in 3 of 3' })).toBeChecked();
    for (const word of [...SHARED, ...OF_TWO])
      await expect(dialog.getByRole('checkbox', { name: `${word} ` })).toBeChecked();
    await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(12);
    for (const word of OF_ONE) await expect(dialog.getByRole('checkbox', { name: `${word} ` })).not.toBeChecked();
    await expectAccessibleInBothSchemes(page);

    const cards = await readPages(
      page,
      dialog.getByRole('button', { name: 'Print flashcards (2 pages)', exact: true }),
    );
    expect(cards).toHaveLength(2);
    for (const word of [...SHARED, ...OF_TWO]) expect(cards.join(' ')).toContain(word);
    for (const word of OF_ONE) expect(cards.join(' ')).not.toContain(word);

    const sheets = await readPages(page, dialog.getByRole('button', { name: 'Print sheet (3 pages)', exact: true }));
    expect(sheets).toHaveLength(3);
    const sheet = sheets.find((text) => text.includes('Cleo Wren')) ?? '';
    for (const word of SHARED) expect(sheet).toContain(word);
    for (const word of [...OF_TWO, ...OF_ONE]) expect(sheet).not.toContain(word);

    await dialog.getByRole('button', { name: 'Tick all' }).click();
    await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(15);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('Assign books opens at level 2, and says who has opened a book and to whom it is assigned', async () => {
    const dialog = page.getByRole('dialog', { name: 'Books for 3 pupils' });
    await chooseFrom(page, 'More actions for the selected pupils', 'Assign books');
    const book = dialog.getByRole('checkbox', { name: 'Knock, Knock, Hen!' });
    await expect(book).toHaveAccessibleDescription('Opened by 1 of 3');
    await expect(dialog.getByLabel('Reading level')).toHaveValue('2');
    await expectAccessibleInBothSchemes(page);
    await book.check();
    await dialog.getByRole('button', { name: 'Assign 1 book' }).click();
    await expect(page.getByText('1 book assigned to 3 pupils').first()).toBeVisible();
    await expect(dialog).toBeHidden();
    await chooseFrom(page, 'More actions for the selected pupils', 'Assign books');
    await expect(book).toHaveAccessibleDescription(/Assigned to 3 of 3/);
  });
});
