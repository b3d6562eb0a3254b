import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { callApi, expect, expectAccessible, saveFile, test } from './portal.ts';
import { buildSchool } from './school.ts';

const CASES = join(import.meta.dirname, '../server/src/lists/cases');
const caseOf = (name: string) => join(CASES, name);
const choose = (page: Page, name: string) => page.locator('input[type=file]').setInputFiles(caseOf(name));

/** Adds the list of the review, and saves the cards of its pupils. Returns their text. */
async function addAndPrint(page: Page, pupils: number): Promise<string> {
  await page.getByRole('button', { name: `Add ${pupils} pupils`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New logins' });
  const { content } = await saveFile(page, dialog.getByRole('button', { name: 'Logins', exact: true }));
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page).toHaveURL(/\/pupils$/);
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(content)), { mergePages: true });
  return text.replace(/\s+/g, ' ');
}

test('a workbook with a sheet for each class and no headers goes from the file to cards', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/school/add-readers');
  await choose(page, '03-sheet-per-class-no-headers.xlsx');
  const sheets = page.getByRole('region', { name: 'Sheets' });
  for (const name of ['Oak', 'Ash', 'Elm']) await expect(sheets.getByLabel(name, { exact: true })).toBeChecked();
  await expect(page.getByText('3 classes will be created: Oak, Ash, Elm.')).toBeVisible();
  await expectAccessible(page);

  // A class is left out and taken back, and renamed.
  await sheets.getByLabel('Elm', { exact: true }).click();
  await expect(page.getByRole('button', { name: 'Add 16 pupils' })).toBeVisible();
  await sheets.getByLabel('Elm', { exact: true }).click();
  const name = page.getByLabel('Name of the class of 8 pupils, now Elm');
  await name.fill('Elder');
  await name.press('Enter');
  await expect(page.getByText('3 classes will be created: Oak, Ash, Elder.')).toBeVisible();

  const cards = await addAndPrint(page, 24);
  for (const text of ['Amara Whitcombe', 'Yasmin Karimi', 'Elder']) expect(cards).toContain(text);
  await page.goto('/classes');
  await expect(page.getByRole('link', { name: 'Elder', exact: true })).toBeVisible();
});

test('a list with a class in each column is read as classes, and can be read otherwise', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/school/add-readers');
  await choose(page, '06-class-in-each-column.xlsx');
  await expect(page.getByText('3 classes will be created: Oak, Ash, Elm.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Name in .*row 2$/i }).first()).toHaveValue('Amara Whitcombe');
  await expect(page.getByLabel('Read as')).toHaveValue('columns');
  const [report] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Our list was read wrongly' }).click(),
  ]);
  await expect(report.getByLabel('Message')).toHaveValue(/Layout: columns/);
  await expect(report.getByLabel('Message')).not.toHaveValue(/Amara/);
  const cards = await addAndPrint(page, 24);
  for (const text of ['Amara Whitcombe', 'Isla Ravenhill', 'Quentin Yates']) expect(cards).toContain(text);
});

test('a question that a list raises is answered before its pupils can be added', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/school/add-readers');
  await choose(page, '09-mixed-class-became-date.csv');
  await page.getByRole('button', { name: 'Answer 2 questions' }).click();
  await expect(page.getByRole('radio', { name: 'Yes, the class is 5/6' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Answer 1 question' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('radio', { name: 'No, the class is 03-Apr' }).check();
  await expect(page.getByText('2 classes will be created: 5/6, 03-Apr.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add 16 pupils' })).toBeVisible();
});

test('the export of a whole school goes from the file to cards and spreadsheet in at most 8 clicks', async ({
  logIn,
  portal,
}) => {
  const { admin, id, token } = await buildSchool(portal);
  await portal.edit(`update subscriptions set max_readers = 999 where school_id = ${id}`);
  const page = await logIn(admin);
  let clicks = 0;
  const click = async (name: string, role: 'link' | 'button') => {
    await page.getByRole(role, { name, exact: true }).first().click();
    clicks += 1;
  };
  await click('Pupils', 'link');
  await click('Add Pupils', 'link');
  await expect(page.getByText('Choose a spreadsheet')).toBeVisible();
  await choose(page, '81-whole-school-420.csv');
  // The field, and the file in the browser's dialog.
  clicks += 2;
  await click('Add 420 pupils', 'button');
  const dialog = page.getByRole('dialog', { name: 'New logins' });
  await expect(dialog).toContainText('420 pupils created.');
  await saveFile(page, dialog.getByRole('button', { name: 'Logins', exact: true }));
  await saveFile(page, dialog.getByRole('button', { name: 'Spreadsheet', exact: true }));
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  clicks += 3;
  expect(clicks).toBeLessThanOrEqual(8);
  const path = `/enterprises/${id}`;
  const { enterprise } = await callApi<{ enterprise: { groups: object[] } }>(portal, 'GET', path, undefined, token);
  expect(enterprise.groups).toHaveLength(15);
});

test('a list of staff with home addresses fills the form, mails no one before it was checked, and is taken back at once', async ({
  logIn,
  portal,
}) => {
  const { admin, id, token } = await buildSchool(portal, { classes: { Oak: [] } });
  const page = await logIn(admin, '/add-teacher');
  await choose(page, '43-staff-home-and-work-email.csv');
  await expect(page.getByLabel('Name of teacher 1')).toHaveValue('Helen Marwood');
  const first = page.getByRole('combobox', { name: 'Email of teacher 1' });
  await expect(first).toHaveValue('h.marwood3@school.example');
  await expect(first.locator('option')).toHaveCount(2);
  await page.getByLabel('Class of teacher 1 (optional)').selectOption('Oak');
  await expectAccessible(page);
  expect(await callApi(portal, 'GET', `/enterprises/${id}/invites`, undefined, token)).toMatchObject({ invites: [] });
  await page.getByRole('button', { name: 'Send 3 invitations' }).click();
  for (const email of ['h.marwood3', 'i.sethi3', 'j.li3'])
    await expect(page.getByText(`${email}@school.example`).first()).toBeVisible();

  await page.getByRole('button', { name: 'Delete these 3 invitations' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete these 3 invitations?' });
  await dialog.getByRole('button', { name: 'Delete these 3 invitations' }).click();
  await expect(page.getByText('3 invitations have been deleted').first()).toBeVisible();
  await expect(page.getByLabel('Name of teacher 1')).toHaveValue('Helen Marwood');
  await expect(page.getByLabel('Class of teacher 1 (optional)').locator('option:checked')).toHaveText('Oak');
  expect(await callApi(portal, 'GET', `/enterprises/${id}/invites`, undefined, token)).toMatchObject({ invites: [] });
});
