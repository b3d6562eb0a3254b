import type { Page } from '@playwright/test';
import { type BundleContent, oneRosterBundle } from '../server/src/testing/oneroster.ts';
import { expect, expectAccessibleInBothSchemes, test } from './portal.ts';
import { buildSchool } from './school.ts';

const CLASSES = [
  { id: 'k4', title: '4W' },
  { id: 'k5', title: '5W' },
  { id: 'k6', title: '6W' },
];
const inClass = (classId: string, ...names: string[]) =>
  names.map((given) => ({ id: given.toLowerCase(), given, family: 'Quaglino', classes: [classId] }));
const LAST_YEAR: BundleContent = {
  pupils: [...inClass('k4', 'Ada', 'Bo', 'Cy', 'Di'), ...inClass('k5', 'Ed', 'Flo'), ...inClass('k6', 'Hal', 'Ida')],
  classes: CLASSES,
};
/** Di skips a year, Hal and Ida have left, Jo and Kit join. */
const NEXT_YEAR: BundleContent = {
  pupils: [...inClass('k4', 'Jo', 'Kit'), ...inClass('k5', 'Ada', 'Bo', 'Cy'), ...inClass('k6', 'Di', 'Ed', 'Flo')],
  classes: CLASSES,
  staff: [{ id: 'sam', given: 'Sam', family: 'Reed', email: 'sam.reed@oak-row.example' }],
};

const upload = (page: Page, content: BundleContent) =>
  page.getByLabel('Choose a file').setInputFiles({
    name: 'bundle.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from(oneRosterBundle(content)),
  });

async function applyRecords(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  const logins = page.getByRole('dialog', { name: 'New logins' });
  await logins.getByRole('checkbox', { name: 'I have downloaded the files' }).check();
  await logins.getByRole('button', { name: 'Close', exact: true }).click();
}

async function expectClasses(page: Page, names: readonly string[]): Promise<void> {
  await page.goto('/classes');
  for (const name of names) await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
}

test('September is one plan: the year end opens with the records, they add joiners, and both are undone by themselves', async ({
  logIn,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/school/records');
  await upload(page, LAST_YEAR);
  await applyRecords(page);

  await page.goto('/year-end');
  await page.getByRole('main').getByRole('link', { name: 'School records' }).click();
  await upload(page, NEXT_YEAR);
  await expect(page.getByRole('heading', { name: 'Joiners (2)' })).toBeVisible();

  await page.goto('/year-end');
  await expect(page.getByText('Your school records have the classes of next year')).toBeVisible();
  await expect(page.getByText('6 pupils recognised, 2 join, 2 leave.', { exact: false })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'New name of 4W' })).toHaveValue('5W');
  await expect(page.getByText('From the school records: 3 of 4 pupils go to 5W.')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'What happens to 6W' })).toHaveValue('leaves');
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Apply the year-end changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply the year-end changes' }).click();

  await expect(page.getByText('Still to come from the school records: 2 join, 1 change of class.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Choose whom to invite' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('link', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { name: 'Joiners (2)' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Leavers', exact: false })).toHaveCount(0);
  await applyRecords(page);

  await page.goto('/year-end');
  await expect(page.getByRole('link', { name: 'Login cards and tags for the 2 joiners' })).toBeVisible();
  await expectClasses(page, ['4W', '5W', '6W']);
  await page.goto('/year-end');
  await page.getByRole('link', { name: 'Show the records' }).click();
  // Exact, because the page before has *Undo the year end*.
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('button', { name: 'Undo the changes' }).click();
  await expect(page.getByText('Undone', { exact: true })).toBeVisible();

  await page.goto('/year-end');
  await expect(page.getByRole('heading', { name: 'Next steps' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo the year end' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo the year end' }).click();
  await expect(page.getByRole('combobox', { name: 'What happens to 4W' })).toBeVisible();
  await page.goto('/pupils');
  for (const name of ['Ada', 'Di', 'Hal', 'Ida'])
    await expect(page.getByRole('link', { name: `${name} Quaglino` })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Kit Quaglino' })).toHaveCount(0);
});
