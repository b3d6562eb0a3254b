import type { Page } from '@playwright/test';
import { type BundleContent, bundleFiles, oneRosterBundle, transferFile } from '../server/src/testing/oneroster.ts';
import { zip } from '../server/src/testing/zip.ts';
import { callApi, expect, expectAccessibleInBothSchemes, test } from './portal.ts';
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
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
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

test('the first file of a school of 90 pupils recognises them, lists who moves, asks one question and takes six clicks', async ({
  logIn,
  portal,
}) => {
  const { admin, id, token } = await buildSchool(portal);
  await portal.edit(`update subscriptions set max_readers = 200 where school_id = ${id}`);
  const first = ['Ada', 'Ben', 'Cleo', 'Dev', 'Ella', 'Finn', 'Gwen', 'Hari', 'Isla', 'Jude'];
  const last = ['Abbey', 'Birch', 'Coyle', 'Dunn', 'Ellis', 'Frost', 'Gill', 'Hart', 'Irwin'];
  const classOf = (index: number) => ({ id: `k${index % 3}`, title: `Year ${(index % 3) + 3} Herons` });
  const pupils = first.flatMap((given, row) =>
    last.map((family, column) => ({ id: `${given}-${family}`, given, family, school: classOf(row + column) })),
  );
  const [moved, charlie, ...others] = pupils;
  if (!moved || !charlie) throw new Error('There are no pupils.');
  const here = [moved, { ...charlie, given: 'Charlie' }, ...others];
  const readers = here.map(({ given, family, school }) => ({ name: `${given} ${family}`, class: school.title }));
  await callApi(portal, 'POST', `/enterprises/${id}/readers`, { readers }, token);
  const there = [
    ...others,
    { ...moved, school: classOf(1) },
    { ...charlie, given: 'Charles' },
    ...['Kit', 'Lena', 'Milo'].map((given) => ({ id: given, given, family: 'Jarvis', school: classOf(0) })),
  ];
  const bundle = oneRosterBundle({
    pupils: there.map(({ school, ...pupil }) => ({ ...pupil, classes: [school.id], grade: '' })),
    classes: [0, 1, 2].map(classOf),
  });

  const page = await logIn(admin, '/school');
  let clicks = 0;
  const click = async (name: string, role: 'link' | 'button' | 'checkbox') => {
    await page.getByRole(role, { name }).click();
    clicks += 1;
  };
  await click('School records', 'link');
  await upload(page, 'bundle.zip', bundle);
  // The field, and the file in the browser's dialog.
  clicks += 2;
  await expect(page.getByRole('heading', { name: 'Recognised (89)' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'The same pupil? (1)' })).toBeVisible();
  const movers = page.getByRole('region', { name: 'Changes of class (1)' });
  await expect(movers).toContainText('Ada Abbey from Year 3 Herons to Year 4 Herons');
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('combobox', { name: 'Charles Birch' }).selectOption({ index: 1 });
  clicks += 1;
  // Three joiners, a change of class, and Charlie is called Charles.
  await expect(page.getByText('5 changes to make').first()).toBeVisible();
  await click('Apply', 'button');
  const logins = page.getByRole('dialog', { name: 'New logins' });
  await expect(logins).toContainText('3 joiners, 1 change of class and 1 change of name.');
  expect(clicks).toBeLessThanOrEqual(6);
  await logins.getByRole('checkbox', { name: 'I have downloaded the files' }).check();
  await logins.getByRole('button', { name: 'Close', exact: true }).click();

  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('button', { name: 'Undo the changes' }).click();
  await expect(page.getByText('Undone', { exact: true })).toBeVisible();
  const { meta } = await callApi<{ meta: { total_filtered: number } }>(
    portal,
    'GET',
    `/enterprises/${id}/readers?search=Charlie%20Birch`,
    undefined,
    token,
  );
  expect(meta.total_filtered).toBe(1);
});
