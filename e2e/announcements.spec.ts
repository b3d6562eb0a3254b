import { expectAnnounced, recordAnnouncements } from './announcements.ts';
import {
  callApi,
  chooseFrom,
  expect,
  expectListening,
  people,
  saveFile,
  sessionToken,
  submitLogin,
  test,
  tickBox,
} from './portal.ts';
import { buildSchool } from './school.ts';

const OTTERS = ['Ann Archer', 'Ben Crane', 'Cal Dove'];

test('a region that arrives with its text is not recorded, and an alert is', async ({ page, portal }) => {
  const announcements = await recordAnnouncements(page);
  await page.goto(`${portal.url}/robots.txt`);
  await page.evaluate(() => {
    document.body.innerHTML = '<p role="status" id="region"></p><p id="plain"></p>';
    document.getElementById('region')!.textContent = 'Together with its region';
  });
  await page.evaluate(() => {
    const add = (place: string, html: string) => document.getElementById(place)!.insertAdjacentHTML('beforeend', html);
    add('plain', '<p role="status">Late region</p>');
    add('plain', '<p role="alert">Alert</p>');
    add('region', '<span>First</span><span aria-hidden="true">Hidden</span>');
  });
  await expect.poll(() => announcements).toEqual(['Alert', 'Together with its region First']);
});

test('a table announces its search, sort, pages and selection, and nothing while it loads', async ({ page, logIn }) => {
  const announcements = await recordAnnouncements(page);
  await logIn(people.admin, '/pupils');
  await expectListening(page);
  const search = page.getByLabel('Search by name or username');
  await search.fill('zzz');
  await expectAnnounced(announcements, 'No pupils found');
  expect(announcements).toEqual(['No pupils found']);
  await search.fill('wisniewski');
  await expectAnnounced(announcements, '1 pupil');
  await search.fill('');
  await expectAnnounced(announcements, /^\d\d+ pupils$/);
  const all = announcements.at(-1)!;

  const table = page.getByRole('table', { name: 'Pupils' });
  await table.getByRole('link', { name: 'Name', exact: true }).click();
  await expectAnnounced(announcements, /^Sorted by name, (A to Z|Z to A)$/);
  await table.getByRole('link', { name: 'Name', exact: true }).click();
  await expectAnnounced(announcements, 'Sorted by name, Z to A');
  await page.getByRole('link', { name: 'Next page' }).click();
  await expectAnnounced(announcements, new RegExp(String.raw`^Page 2 of \d+: 51 to \d+ of ${all}$`));

  await tickBox(table.getByRole('checkbox', { name: /^Select / }).nth(2));
  await expectAnnounced(announcements, `1 of ${all} selected`);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expectAnnounced(announcements, 'No pupils selected');
  await page.getByLabel('Level', { exact: true }).selectOption('4');
  await expectAnnounced(announcements, /^\d+ pupils$/);
});

test('an import, its downloads and a deletion that can be undone are announced', async ({ page, logIn, portal }) => {
  const { admin } = await buildSchool(portal, { classes: { Otters: OTTERS } });
  const announcements = await recordAnnouncements(page);
  await logIn(admin, '/school/add-readers');
  await expectListening(page);
  const buffer = Buffer.from('Surname;Forename;Class\nSmith;Jane;Otters\nBr0wn;Sam;Otters\n');
  await page.locator('input[type=file]').setInputFiles({ name: 'pupils.csv', mimeType: 'text/csv', buffer });
  await expect(page.getByRole('heading', { name: 'pupils.csv, 2 rows' })).toBeFocused();
  await expectAnnounced(announcements, '1 new pupil, 1 to correct');
  await page.getByRole('button', { name: 'Leave out Row 3' }).click();
  await expectAnnounced(announcements, '1 new pupil');
  await page.getByRole('button', { name: /^Add 1 pupil$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'New logins' });
  await expectAnnounced(announcements, 'The pupils have been created and added to your school');
  const { name } = await saveFile(page, dialog.getByRole('button', { name: 'Spreadsheet' }));
  await expectAnnounced(announcements, `Downloaded ${name}`);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => announcements.join('\n')).toContain('The pupils have been added to the school');

  await expect(page.getByRole('heading', { level: 1, name: 'Pupils' })).toBeVisible();
  await chooseFrom(page, 'Actions for Ben Crane', 'Delete Ben Crane');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect.poll(() => announcements.join('\n')).toMatch(/Ben Crane .*Undo/);
});

test('results in the dialog of the palette are announced there', async ({ page, logIn }) => {
  const announcements = await recordAnnouncements(page);
  await logIn(people.admin, '/account');
  await expectListening(page);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Pupil, class, colleague, book or screen' });
  await field.fill('zzq');
  await expectAnnounced(announcements, 'No results');
  await field.fill('year 4');
  await expectAnnounced(announcements, /^\d+ results?$/);
});

test('saving is announced, and on the login page that the session has ended', async ({ page, logIn, portal }) => {
  const { admin } = await buildSchool(portal);
  const announcements = await recordAnnouncements(page);
  await logIn(admin, '/edit-school');
  await expectListening(page);
  await page.getByRole('textbox', { name: 'School name' }).fill('Elm Row Primary');
  await page.getByRole('button', { name: 'Save' }).click();
  await expectAnnounced(announcements, /^Details saved/);
  await expect(page).toHaveURL(/\/school$/);

  await callApi(portal, 'DELETE', '/auth', undefined, await sessionToken(page));
  await page.getByRole('navigation').getByRole('link', { name: 'Pupils', exact: true }).click();
  await expect(page).toHaveURL(/\/login\?redirect=%2Fpupils&action=session-ended$/);
  await expectAnnounced(announcements, 'Your session has ended. Log in again to continue.');
  await submitLogin(page, admin);
  await expect(page).toHaveURL(/\/pupils$/);
});
