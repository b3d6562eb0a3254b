import { expect, expectAccessibleInBothSchemes, expectPartAccessible, saveFile, test } from './portal.ts';
import { expectSoundLayout } from './layout.ts';
import { buildSchool } from './school.ts';

test('an admin answers a subject access request, from Ctrl-K to the ZIP', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal, {
    classes: { 'Year 3 Otters': ['Dilys Quaglino', 'Tilly Marsh', 'Wilhelmina-Featherstonehaugh Marsh'] },
  });
  const page = await logIn(admin, '/pupils');
  await page.getByRole('link', { name: 'Dilys Quaglino' }).click();
  for (const text of ['Dilys likes otters', 'Sits with Tilly and Wilhelmina-Featherstonehaugh at lunch']) {
    await page.getByRole('button', { name: 'Add a note' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill(text);
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Find anything' });
  await palette.getByRole('combobox').fill('everything about dilys');
  await palette.getByRole('option', { name: 'Everything about Dilys Quaglino …' }).click();
  await expect(page.getByRole('group', { name: 'Everything about Dilys Quaglino' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Name of the person who asks' }).fill('Gwen Quaglino');
  await page.getByRole('textbox', { name: 'How you checked who asks' }).fill('Showed a passport');
  await page.getByRole('button', { name: 'Record the request' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Everything about Dilys Quaglino' })).toBeVisible();
  await expect(page.getByText(/^Due \d/)).toBeVisible();
  await expect(page.getByText(/^Answer by \d/)).toBeVisible();
  await expect(page.getByText('May name someone else: Tilly')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  await expectSoundLayout(page, 'request');
  await page.setViewportSize({ width: 1280, height: 800 });
  const notes = page.getByRole('table', { name: 'Notes about the pupil' });
  await notes
    .getByRole('row', { name: /otters/ })
    .getByRole('button', { name: 'Include: Dilys likes otters' })
    .click();
  await expect(page.getByText('1 text to decide.')).toBeVisible();
  await notes.getByRole('button', { name: /^Black out words/ }).click();
  const words = page.getByRole('dialog', { name: 'Black out words' });
  await words.getByRole('button', { name: 'likes' }).click();
  await words.getByRole('button', { name: 'otters' }).focus();
  await page.keyboard.press('Space');
  await words.getByRole('button', { name: 'likes' }).click();
  await expect(words.getByText('1 word blacked out').first()).toBeVisible();
  await expectPartAccessible(page, 'dialog[open]');
  await words.getByRole('button', { name: 'Save' }).click();
  await expect(words).toHaveCount(0);
  await expect(notes.getByRole('deletion')).toHaveText('otters');
  await expect(page.getByText('Words are blacked out in 1 text.')).toBeVisible();
  await notes
    .getByRole('row', { name: /Tilly/ })
    .getByRole('button', { name: /^Leave out/ })
    .click();
  await expect(page.getByText('All are decided.')).toBeVisible();
  await page.getByRole('button', { name: 'Make the file' }).click();
  const ready = page.getByRole('button', { name: 'Download the file' });
  await expect(ready).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  const { content: file } = await saveFile(page, ready);
  expect(file.subarray(0, 2).toString()).toBe('PK');
  expect(file.toString('latin1')).toContain('data/pupil_notes.csv');
  await expect(page.getByText('The file has not been downloaded.')).toHaveCount(0);

  await page.getByRole('button', { name: 'Close the request' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close the request' });
  await dialog.getByRole('textbox', { name: 'To whom and how' }).fill('To Gwen Quaglino, on paper');
  await dialog.getByRole('button', { name: 'Close the request' }).click();
  await expect(page.getByText('Released', { exact: true })).toBeVisible();
  await expect(notes.getByRole('row', { name: /Tilly/ })).toContainText('Left out');
  await expect(page.getByText('Read each text.')).toHaveCount(0);
  await page.goto('/school/changes');
  await expect(page.getByText('Downloaded the subject access file about Dilys Quaglino')).toBeVisible();
});

test('an admin records a complaint with the keyboard, acknowledges it, and closes it with its outcome', async ({
  logIn,
  portal,
}) => {
  const { admin } = await buildSchool(portal, { classes: { 'Year 3 Otters': ['Dilys Quaglino'] } });
  const page = await logIn(admin, '/pupils');
  await page.getByRole('link', { name: 'Dilys Quaglino' }).click();
  await page.getByRole('link', { name: 'Data request' }).click();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('link', { name: 'Complaint', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New complaint' })).toBeFocused();
  await page.getByRole('textbox', { name: 'What the complaint is about' }).fill('A letter went to another family');
  await page.getByRole('textbox', { name: 'Name of the person who complains' }).fill('Gwen Quaglino');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Acknowledge by \d/)).toBeVisible();
  await expect(page.getByText('Dear Gwen Quaglino,')).toBeVisible();
  await expectAccessibleInBothSchemes(page);

  await page.getByRole('button', { name: 'Acknowledged' }).focus();
  await page.keyboard.press('Enter');
  const step = page.getByRole('dialog', { name: 'Acknowledged' });
  await expect(step).toBeVisible();
  await expectPartAccessible(page, 'dialog[open]');
  await step.getByRole('button', { name: 'Record it' }).click();
  await expect(page.getByText(/^Last in touch \d/)).toBeVisible();
  await expect(page.getByText('Dear Gwen Quaglino,')).toHaveCount(0);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectSoundLayout(page, 'complaint');
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: 'Close the complaint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close the complaint' });
  await dialog.getByRole('textbox', { name: 'What you told the person, and when' }).fill('Apologised by letter');
  await dialog.getByRole('button', { name: 'Close the complaint' }).click();
  await expect(page.getByText('Upheld', { exact: true })).toBeVisible();
  await page.goto('/school/changes');
  await expect(page.getByText('Closed the complaint about the use of data about Dilys Quaglino')).toBeVisible();
});
