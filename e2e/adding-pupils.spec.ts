import { expect, expectAccessible, pasteText, saveFile, test } from './portal.ts';
import { buildSchool } from './school.ts';

const csvFile = (rows: string) => ({ name: 'pupils.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });

test('an uploaded spreadsheet is reviewed and corrected, creates its pupils once, and their logins can be downloaded', async ({
  logIn,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/school/add-readers');
  await expect(page.getByText(/Your subscription has room for \d+ more pupils/)).toBeVisible();
  const file = csvFile(
    'Surname;Forename;Class\nSmith;Jane;Year 3 Wrens\nBr0wn;Sam;Year 3 Wrens\nSmith;Jane;Year 3 Wrens\nO’Brien;Aoife;Year 3 Wrens\n',
  );
  await page.locator('input[type=file]').setInputFiles(file);

  await page.getByText('Last name from column A, first name from column B, class from column C.').click();
  await expect(page.getByRole('combobox', { name: 'Column A Surname' })).toHaveValue('last_name');
  await expect(page.getByText('1 class will be created: Year 3 Wrens.')).toBeVisible();
  await expect(page.getByText('1 row to correct')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Rows of the list' })).toContainText('Row 2 is the same pupil.');
  await page.getByRole('button', { name: 'Correct 1 row' }).click();
  await expect(page.getByLabel('Name in Row 3')).toBeFocused();
  await expectAccessible(page);

  await page.getByLabel('Name in Row 3').fill('Sam Brown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('All rows are corrected')).toBeVisible();
  await page.getByRole('button', { name: "Leave out Aoife O'Brien" }).click();
  await expect(page.getByRole('button', { name: /^Add 2 pupils$/ })).toBeVisible();
  await page.getByRole('button', { name: "Put back Aoife O'Brien" }).click();
  await page.getByRole('button', { name: /^Add 3 pupils$/ }).click();

  const dialog = page.getByRole('dialog', { name: 'New logins' });
  await expect(dialog.getByText('The pupils have been created and added to your school').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveAttribute('aria-disabled', 'true');
  expect((await saveFile(page, dialog.getByRole('button', { name: 'Spreadsheet' }))).name).toMatch(/\.xlsx$/);
  await expect(dialog.getByLabel('I have downloaded the files')).toBeChecked();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('The pupils have been added to the school')).toBeVisible();
  await expect(page).toHaveURL(/\/pupils$/);

  // Importing the same sheet again adds no pupils.
  await page.goto('/school/add-readers');
  await page
    .locator('input[type=file]')
    .setInputFiles(csvFile('Surname;Forename;Class\nSmith;Jane;Year 3 Wrens\nBrown;Sam;Year 3 Wrens\n'));
  await expect(page.getByText('No new pupils').first()).toBeVisible();
  await expect(page.getByRole('table', { name: 'Rows of the list' })).toContainText(
    'Jane Smith is already in Year 3 Wrens.',
  );
});

test('a column of a management information system is mapped once, and remembered for the next spreadsheet', async ({
  logIn,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  let page = await logIn(admin, '/school/add-readers');
  const upload = (rows: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles(csvFile(`UPN,Legal Surname,Legal Forename,Year,Pod,DOB,Gender\n${rows}`));
  const table = page.getByRole('table', { name: 'Rows of the list' });
  await upload('B801200005001,Oakden,Charlie,3,Otters,03/02/2018,M\n,Marsh,Tilly,3,Otters,04/05/2018,F\n');

  // The year group is the class until the user says which column is.
  await expect(page.getByText('1 class will be created: Year 3.')).toBeVisible();
  await page.getByText(/^UPN from column A, last name from column B/).click();
  await expect(page.getByText('To recognise pupils. Not stored.')).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Column E Pod' }).selectOption('Class');
  await expect(page.getByText('1 class will be created: Otters.')).toBeVisible();
  await expect(page.getByText('As last time', { exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Add 2 pupils$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'New logins' });
  await saveFile(page, dialog.getByRole('button', { name: 'Spreadsheet' }));
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/pupils$/);

  await page.goto('/school/add-readers');
  await upload(',Oakden,Charlie,3,Otters,03/02/2018,M\n,Hale,Wren,3,Otters,01/07/2018,F\n');
  await expect(table).toContainText('Charlie Oakden is already in Otters.');
  await page.getByText(/class from column E \(as last time\)/).click();
  await expect(page.getByText('As last time', { exact: true })).toHaveCount(1);
  await expect(page.getByRole('combobox', { name: 'Column E Pod' })).toHaveValue('class');
  await expectAccessible(page);
  page = await logIn(admin, '/school/changes');
  await expect(page.getByText(/chose what \d+ columns? of a spreadsheet means?/i)).toBeVisible();
});

test('names typed or pasted are added to a class, and their logins are kept in this browser until the download is confirmed', async ({
  logIn,
  portal,
}) => {
  const { admin, classes } = await buildSchool(portal, { classes: { 'Year 4 Kingfishers': [] } });
  const own = `/classes/${classes.get('Year 4 Kingfishers')}`;
  const page = await logIn(admin, `${own}/add-readers`);
  await page.getByRole('button', { name: 'Check the names' }).click();
  await expect(page.getByText('There is a problem')).toBeVisible();
  await page.getByLabel('Name of pupil 3', { exact: true }).fill('Tilly Marsh');
  await expect(page.getByLabel('Name of pupil 4', { exact: true })).toBeVisible();
  const first = page.getByLabel('Name of pupil 1', { exact: true });
  await pasteText(first, 'Forename\tSurname\nPenny\tLane\nElla\tStone\n');
  await expect(page.getByRole('button', { name: /^Add 3 pupils$/ })).toBeVisible();
  await page.getByRole('button', { name: /^Add 3 pupils$/ }).click();
  await expect(page.getByRole('dialog', { name: 'New logins' })).toBeVisible();

  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  const dialog = page.getByRole('dialog', { name: 'New logins' });
  await expect(dialog).toContainText('3 pupils created.');
  await expect(dialog.getByRole('article', { name: 'Login card for Penny Lane' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('button', { name: 'Print', exact: true }).click();
  await expect(dialog.getByText('Did the cards print?')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Yes' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('The pupils have been added to the class')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${own}$`));
  await expect(page.getByRole('table').getByRole('link', { name: 'Penny Lane', exact: true })).toBeVisible();
  await expect(page.getByRole('table').getByRole('link', { name: 'Tilly Marsh', exact: true })).toBeVisible();
});

test('an unreadable file shows its error beside the upload, and leaving with unsaved names asks first', async ({
  logIn,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/school/add-readers');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('x') });
  await expect(page.getByText(/photo\.png is not a CSV, TSV, TXT, XLS, XLSX or ODS file/)).toBeVisible();
  await page.locator('input[type=file]').setInputFiles({
    name: 'broken.xlsx',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('PK\u0003\u0004 broken'),
  });
  await expect(page.getByRole('alert').filter({ hasText: /file/ }).last()).toBeVisible();
  await page.getByLabel('Name of pupil 1', { exact: true }).fill('Ada Byron');
  await page.getByRole('link', { name: 'Classes', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Leave this page?' })).toBeVisible();
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Name of pupil 1', { exact: true })).toHaveValue('Ada Byron');
});
