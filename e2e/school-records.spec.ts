import type { Page } from '@playwright/test';
import { type BundleContent, bundleFiles, oneRosterBundle, transferFile } from '../server/src/testing/oneroster.ts';
import { zip } from '../server/src/testing/zip.ts';
import { expect, expectAccessibleInBothSchemes, test } from './portal.ts';
import { buildSchool } from './school.ts';

const upload = (page: Page, name: string, content: Buffer | string) =>
  page.getByLabel('Choose a file').setInputFiles({
    name,
    mimeType: name.endsWith('zip') ? 'application/zip' : 'text/xml',
    buffer: Buffer.from(content),
  });

const CLASSES = [{ id: 'k1', title: 'Year 3 Otters' }];
const pupilOf = (id: string, given: string) => ({ id, given, family: 'Quaglino', classes: ['k1'] });
const file = (...names: string[]): BundleContent => ({
  pupils: names.map((name) => pupilOf(name.toLowerCase(), name)),
  classes: CLASSES,
});
const INITIAL_NAMES = ['Dilys', 'Tilly', 'Wren', 'Olu', 'Ivy', 'Sam'];

test('a bundle fills an empty school, a leaver waits for a tick and a confirmation, and an undo restores', async ({
  logIn,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/school');
  await page.getByRole('link', { name: 'School records' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'School records' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await upload(page, 'bundle.zip', oneRosterBundle(file(...INITIAL_NAMES)));
  await expect(page.getByRole('heading', { name: 'Joiners (6)' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Apply' }).click();
  const logins = page.getByRole('dialog', { name: 'New logins' });
  await expect(logins).toContainText('6 joiners and 1 new or renamed class');
  await logins.getByRole('checkbox', { name: 'I have downloaded the files' }).check();
  await logins.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(
    page.getByRole('region', { name: 'Joined (6)' }).getByRole('link', { name: 'Wren Quaglino' }),
  ).toBeVisible();
  await expectAccessibleInBothSchemes(page);

  await page.goto('/school/records');
  await upload(page, 'bundle.zip', oneRosterBundle(file('Dilys')));
  await expect(page.getByText('5 pupils of 6 are missing from the file')).toBeVisible();
  await page.getByRole('checkbox', { name: 'All of them have left' }).check();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('checkbox', { name: 'I have checked the lists below' }).check();
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('5 leavers', { exact: false }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo the changes' }).click();
  await expect(page.getByText('Undone', { exact: true })).toBeVisible();
  await page.goto('/pupils');
  for (const name of INITIAL_NAMES) await expect(page.getByRole('link', { name: `${name} Quaglino` })).toBeVisible();
});

test('a transfer file asks whether a pupil is the same, and adds another', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal, { classes: { 'Year 3 Otters': ['Dilys Quaglino'] } });
  const page = await logIn(admin, '/school/records');
  const xml = transferFile([
    { forename: 'Dilys', surname: 'Quaglino', birth: '2018-03-04' },
    { forename: 'Tilly', surname: 'Marsh', birth: '2018-05-06', className: 'Year 3 Otters' },
  ]);
  await upload(page, 'transfer.xml', xml);
  await page.getByRole('button', { name: 'They are all the same pupils' }).click();
  await expect(page.getByRole('combobox', { name: 'Dilys Quaglino' })).toContainText('The same as Dilys Quaglino');
  await page.getByRole('button', { name: 'Apply' }).click();
  const logins = page.getByRole('dialog', { name: 'New logins' });
  await expect(logins).toContainText('1 joiner');
  await logins.getByRole('checkbox', { name: 'I have downloaded the files' }).check();
  await logins.getByRole('button', { name: 'Close', exact: true }).click();
  await page.goto('/school/changes');
  await expect(page.getByText('Applied changes from school records: 1 joiner', { exact: false })).toBeVisible();
});

test('a file with pupils of two schools is read for the chosen one, and a joiner is left out', async ({
  logIn,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/school/records');
  const files = bundleFiles(file(...INITIAL_NAMES));
  const twoSchools = zip({
    ...files,
    'roles.csv': (files['roles.csv'] ?? '').replace(/"dilys",(.*)"org"/, '"dilys",$1"nursery"'),
  });
  await upload(page, 'two-schools.zip', twoSchools);
  await expect(page.getByRole('radiogroup', { name: 'Which school do you want to read?' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('radio', { name: 'org, 5 pupils' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Joiners (5)' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Tilly Quaglino' }).uncheck();
  await expect(page.getByText('5 changes to make').first()).toBeVisible();
  await page.getByRole('button', { name: 'Apply' }).click();
  const logins = page.getByRole('dialog', { name: 'New logins' });
  await expect(logins).toContainText('4 joiners');
  await logins.getByRole('checkbox', { name: 'I have downloaded the files' }).check();
  await logins.getByRole('button', { name: 'Close', exact: true }).click();
  await page.goto('/school/records');
  await upload(page, 'two-schools.zip', twoSchools);
  await expect(page.getByRole('heading', { name: 'Joiners (1)' })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Tilly Quaglino' })).toBeChecked();
});
