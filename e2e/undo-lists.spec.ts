import type { Page } from '@playwright/test';
import { callApi, expect, expectAccessibleInBothSchemes, test } from './portal.ts';
import { buildSchool } from './school.ts';

const upload = (page: Page, rows: string) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name: 'Year 3.csv', mimeType: 'text/csv', buffer: Buffer.from(`Name,Class\n${rows}`) });

async function confirmLogins(page: Page): Promise<void> {
  const logins = page.getByRole('dialog', { name: 'New logins' });
  await logins.getByRole('checkbox', { name: 'I have downloaded the files' }).check();
  await logins.getByRole('button', { name: 'Close', exact: true }).click();
}

test('a teacher undoes a list from the note after adding it, and an admin another from the lists later', async ({
  logIn,
  portal,
}) => {
  const { admin, teacher } = await buildSchool(portal, {
    classes: { 'Year 3 Otters': ['Dilys Quaglino'] },
    teacher: ['Thea', 'Hart'],
  });
  const page = await logIn(teacher, '/school/add-readers');
  await page.getByLabel('Name of pupil 1', { exact: true }).fill('Tilly Marsh');
  await page.getByRole('button', { name: 'Check the names' }).click();
  await page.getByRole('button', { name: 'Add 1 pupil' }).click();
  await confirmLogins(page);
  await expect(page.getByText('1 new pupil', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Undo', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Typed or pasted list' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo this list?' });
  await expect(dialog.getByText('1 pupil goes to the archive')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Undo the list' }).click();
  await expect(page.getByText('Undone', { exact: true })).toBeVisible();
  await page.goto('/pupils?groups=');
  await expect(page.getByRole('link', { name: 'Tilly Marsh' })).toHaveCount(0);

  const asAdmin = await logIn(admin, '/school/add-readers');
  await upload(asAdmin, 'Wren Lane,Year 4 Larks\nOlu Reed,Year 4 Larks\n');
  await asAdmin.getByRole('button', { name: 'Add 2 pupils' }).click();
  await confirmLogins(asAdmin);
  await asAdmin.goto('/school/add-readers');
  await asAdmin.getByRole('link', { name: 'Undo a list' }).click();
  const lists = asAdmin.getByRole('table', { name: 'Lists of pupils' });
  await expect(lists.getByRole('row').filter({ hasText: 'Thea Hart' })).toContainText('Undone');
  await expectAccessibleInBothSchemes(asAdmin);
  await lists.getByRole('link', { name: 'List “Year 3.csv”' }).click();
  await expect(asAdmin.getByText('2 new pupils and 1 new class.', { exact: false })).toBeVisible();
  await expect(
    asAdmin.getByRole('region', { name: 'Joined (2)' }).getByRole('link', { name: 'Olu Reed' }),
  ).toBeVisible();
  await expectAccessibleInBothSchemes(asAdmin);
  await asAdmin.getByRole('link', { name: 'Login cards and tags for these 2 pupils' }).click();
  await expect(asAdmin.getByText('Added by List “Year 3.csv” on', { exact: false })).toBeVisible();
  const pupils = asAdmin.getByRole('table', { name: 'Pupils' });
  for (const name of ['Olu Reed', 'Wren Lane']) await expect(pupils.getByRole('link', { name })).toBeVisible();
  await expect(pupils.getByRole('link', { name: 'Dilys Quaglino' })).toHaveCount(0);
  await expectAccessibleInBothSchemes(asAdmin);
  await asAdmin.getByRole('link', { name: 'List “Year 3.csv”' }).click();
  await asAdmin.getByRole('button', { name: 'Undo', exact: true }).click();
  for (const text of ['2 pupils go to the archive', '1 new class is deleted'])
    await expect(asAdmin.getByRole('dialog').getByText(text)).toBeVisible();
  await asAdmin.getByRole('button', { name: 'Undo the list' }).click();
  await expect(asAdmin.getByText('Undone', { exact: true })).toBeVisible();
  await asAdmin.goto('/school/records');
  await expect(
    asAdmin.getByRole('table', { name: 'History' }).getByRole('row').filter({ hasText: 'Year 3.csv' }),
  ).toContainText('Undone');
  await asAdmin.goto('/classes');
  await expect(asAdmin.getByRole('link', { name: 'Year 4 Larks' })).toHaveCount(0);
});

test('undoing a year end names the class that was renamed since, which keeps its name', async ({ logIn, portal }) => {
  const { id, token, admin, classes } = await buildSchool(portal, {
    classes: { 'Year 3 Otters': ['Dilys Quaglino'], 'Year 6 Larks': ['Tilly Marsh'] },
  });
  const page = await logIn(admin, '/year-end');
  await page.getByRole('button', { name: 'Apply the year-end changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply the year-end changes' }).click();
  await expect(page.getByText('1 class moved up and 1 pupil left', { exact: false })).toBeVisible();
  const path = `/enterprises/${id}/groups/${classes.get('Year 3 Otters')}`;
  await callApi(portal, 'POST', path, { name: 'Year 4 Swifts' }, token);
  await page.goto('/year-end');
  await page.getByRole('button', { name: 'Undo the year end' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo the year end?' });
  for (const text of ['1 pupil comes back from the archive', '1 deleted class is restored'])
    await expect(dialog.getByText(text)).toBeVisible();
  await dialog.getByRole('button', { name: 'Undo the year end' }).click();
  await expect(page.getByText('Year 4 Swifts: changed since')).toBeVisible();
  await page.goto('/classes');
  for (const name of ['Year 4 Swifts', 'Year 6 Larks'])
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
});
