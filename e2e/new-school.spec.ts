import { read, utils, write } from '@e965/xlsx';
import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import {
  chooseFrom,
  expect,
  expectAccessible,
  fillLogin,
  mailedLink,
  pasteText,
  saveFile,
  submitLogin,
  test,
  tickBox,
} from './portal.ts';
import { buildSchool, type School } from './school.ts';
import type { Portal } from './server.ts';

const FORENAMES =
  'Zoë Siân Łukasz Mary-Kate D’Arcy Aoife Anh Björn Chloé Dafydd Eloïse Fiadh Gwenllïan Håkon Inés João Kofi Leïla Małgorzata Ngozi Orla Přemysl Quentin Renée Søren Tomás Ursula Vašek Wei Yağmur'.split(
    ' ',
  );
const SURNAMES = [
  'O’Brien',
  'Owusu-Mensah',
  'García Márquez',
  'Nguyễn',
  'de la Cruz',
  'Smith-Jones',
  'van der Berg',
  'Müller',
  'D’Souza',
  'Ó Súilleabháin',
  'Wójcik',
  'Ap Rhys',
  'Fernández-López',
  'Çelik',
  'St John',
  'Brontë',
  'Adébáyò',
  'Lindström',
  'Patel',
  'Featherstonehaugh-Cholmondeley',
  'MacLeod',
  'Dvořák',
  'Haddad',
  'Kaur Gill',
  'L’Estrange',
  'Rodrigues da Silva',
  'Thórsdóttir',
  'Uí Néill',
  'Yılmaz',
  'Żak',
];
/** Thirty pupils; the lists have no names in common. */
const pupilsOf = (list: number): [forename: string, surname: string][] =>
  FORENAMES.map((forename, index) => [forename, SURNAMES[(index + list * 7) % SURNAMES.length] ?? '']);
/** A name as the portal normalises it. */
const tidy = (name: string) => name.replaceAll('’', "'");
const fullNames = (list: number) => pupilsOf(list).map((parts) => tidy(parts.join(' ')));

/** An XLS file. */
function workbook(rows: string[][]): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Roll');
  return write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer;
}

const saved = async (page: Page, name: string): Promise<Buffer> =>
  (await saveFile(page, page.getByRole('button', { name, exact: true }))).content;

interface Login {
  username: string;
  password: string;
}

/** A pattern for a name on a card, where lines can break after a word or hyphen. */
const squash = (text: string) => text.normalize('NFC').replace(/\s+/g, '');

/** Reads printed login cards, and fails unless there is one for each name. */
async function readCards(pdf: Buffer, names: readonly string[]): Promise<Map<string, Login>> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  const cards = [
    ...text.matchAll(/([\s\S]*?)Username\s+(\S+)\s+Password\s+(\S+)\s+Open\s+the\s+reading\s+app\s+and\s+log\s+in/g),
  ];
  expect(cards).toHaveLength(names.length);
  const found = names.map((name): [string, Login] => {
    const [, , username = '', password = ''] =
      cards.find(([, before = '']) => squash(before).endsWith(squash(name))) ?? [];
    expect(username, `a card for ${name}`).not.toBe('');
    return [name, { username, password }];
  });
  expect(new Set(found.map(([, { username }]) => username)).size).toBe(names.length);
  return new Map(found);
}

/** A pupil's login in the spreadsheet of new logins. */
async function loginOf({ spreadsheet = '', token }: School, name: string): Promise<Login> {
  const response = await fetch(spreadsheet, { headers: { authorization: `Bearer ${token}` } });
  const [sheet] = Object.values(read(await response.arrayBuffer()).Sheets);
  const rows = utils.sheet_to_json<{ Name: string; Username: string; Password: string }>(sheet!);
  const row = rows.find(({ Name }) => Name === name);
  return { username: row?.Username ?? '', password: row?.Password ?? '' };
}

/** Logs a pupil in as the reading app does, and returns the status. */
async function logPupilIn(portal: Portal, login: Login): Promise<number> {
  const { status } = await fetch(`${portal.url}/v1/reader/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  });
  return status;
}

/** Adds the thirty pupils on the screen and downloads their logins. */
async function addAndPrint(page: Page, portal: Portal, names: readonly string[]): Promise<Map<string, Login>> {
  await page.getByRole('button', { name: 'Add 30 pupils', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New logins' });
  await expect(dialog.getByText('The pupils have been created and added to your school').first()).toBeVisible();
  const cards = await readCards(await saved(page, 'Logins'), names);
  expect(await logPupilIn(portal, cards.get(names[0] ?? '')!)).toBe(200);
  await dialog.getByLabel('I have downloaded the files').check();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  return cards;
}

/** Fails unless the school's audit log has this entry. */
async function expectChange(page: Page, change: string | RegExp): Promise<void> {
  await page.goto('/school/changes');
  const changes = page.getByRole('table', { name: 'Changes' });
  await expect(changes.getByText(change, { exact: true }).first()).toBeVisible();
}

test('a new school invites its teachers, and one of them joins', async ({ browser, logIn, portal }) => {
  const { admin, id } = await buildSchool(portal);
  await portal.edit(`update users set email_confirmed_at = null where email = '${admin}'`);
  const teachers = [`first-${id}@oak-row.example`, `second-${id}@oak-row.example`] as const;
  const page = await logIn(admin);
  await expect(page.getByRole('heading', { name: 'Set up your school' })).toBeVisible();
  await page.getByRole('link', { name: /Invite other teachers/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Add Teacher' })).toBeVisible();
  for (const [index, email] of teachers.entries()) await page.getByLabel(`Email of teacher ${index + 1}`).fill(email);
  await page.getByRole('button', { name: 'Send 2 invitations' }).click();
  await expect(
    page.getByText('The invitations will be sent once you have confirmed your address').first(),
  ).toBeVisible();

  await test.step('confirming the address sends the invitations', async () => {
    const banner = page.getByRole('complementary', { name: 'Confirmation' });
    await expect(banner).toContainText(admin);
    await banner.getByRole('button', { name: 'Send again' }).click();
    await expect(banner.getByRole('button', { name: 'Sent again' })).toBeVisible();
    await page.goto('/teachers');
    await expect(page.getByText('Will be sent once you have confirmed your address').first()).toBeVisible();
    await expectAccessible(page);
    await page.goto(await mailedLink(portal, admin, '/confirm/email/'));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Your email address has been confirmed.').first()).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to main page' }).click();
    await expect(page.getByRole('heading', { name: 'Set up your school' })).toBeVisible();
    await expect(banner).toHaveCount(0);
  });

  const theirs = await browser.newPage();
  await theirs.goto(await mailedLink(portal, teachers[0], '/invite/'));
  await theirs.getByRole('button', { name: 'Register' }).click();
  await expect(theirs.getByLabel('Email')).toHaveValue(teachers[0]);
  await theirs.getByLabel('First name').fill('Eilidh');
  await theirs.getByLabel('Last name').fill('O’Hara');
  await theirs.getByLabel('Password', { exact: true }).fill('kettle over 7 hills');
  await theirs.getByRole('button', { name: 'Register' }).click();
  await expect(theirs.getByRole('banner').getByText('TEACHER')).toBeVisible();
  await theirs.close();

  for (const invited of ['Eilidh O’Hara', teachers[1]]) await expectChange(page, `Invited ${invited}`);
  await expectChange(page, 'Accepted an invitation and joined the school');
  const changes = page.getByRole('table', { name: 'Changes' });
  await expect(changes.getByRole('row', { name: /^Accepted an invitation/ })).toContainText('Eilidh O’Hara');
});

test('a class is created and thirty pupils are pasted into it', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/classes');
  await page.getByRole('button', { name: 'Add Class' }).first().click();
  await page.getByLabel('Name of the class').fill('Year 3 Robins');
  await page.getByRole('button', { name: 'Add class', exact: true }).click();
  await expect(page.getByText('The class has been successfully created')).toBeVisible();
  await page.getByRole('link', { name: 'Year 3 Robins', exact: true }).click();
  await expect(page.getByText('No pupils in this class')).toBeVisible();
  await page.getByRole('link', { name: 'Add Pupils' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Add Pupils' })).toBeVisible();

  const cells = [['Forename', 'Surname'], ...pupilsOf(0)].map((row) => row.join('\t')).join('\r\n');
  await pasteText(page.getByLabel('Or paste the cells'), `${cells}\r\n`);
  await addAndPrint(page, portal, fullNames(0));
  await expect(page.getByRole('heading', { level: 1, name: 'Year 3 Robins' })).toBeVisible();
  for (const name of fullNames(0))
    await expect(page.getByRole('table').getByRole('link', { name, exact: true })).toBeVisible();
  await expectChange(page, 'Created the class Year 3 Robins');
  await expectChange(page, /^Added 30 pupils: /);
});

test('thirty pupils are imported from an XLS file, which creates a class', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/school/add-readers');
  const rows = [['Name', 'Class'], ...pupilsOf(1).map((parts) => [parts.join(' '), 'Year 4 Wrens'])];
  await page.locator('input[type=file]').setInputFiles({
    name: 'wrens.xls',
    mimeType: 'application/vnd.ms-excel',
    buffer: workbook(rows),
  });
  await expect(page.getByText('1 class will be created: Year 4 Wrens.')).toBeVisible();
  await addAndPrint(page, portal, fullNames(1));
  await expect(page.getByRole('heading', { level: 1, name: 'Pupils' })).toBeVisible();
  await expectChange(page, 'Created the class Year 4 Wrens');
});

test('a pupil who moves class and is renamed keeps their login', async ({ logIn, portal }) => {
  const [name = ''] = fullNames(2);
  const renamed = 'Zoë Ní Dhomhnaill';
  const school = await buildSchool(portal, { classes: { 'Year 5 Owls': [name], 'Year 4 Wrens': ['Tilly Marsh'] } });
  const login = await loginOf(school, name);
  const page = await logIn(school.admin, `/classes/${school.classes.get('Year 5 Owls')}`);
  await tickBox(page.getByRole('checkbox', { name: `Select ${name}` }));
  await page.getByRole('button', { name: 'Change Class' }).click();
  const dialog = page.getByRole('dialog', { name: `Change class of ${name}` });
  await dialog.getByRole('combobox', { name: 'New class' }).selectOption({ label: 'Year 4 Wrens (1 pupil)' });
  await dialog.getByRole('button', { name: 'Change class' }).click();
  await expect(page.getByText('1 pupil moved to Year 4 Wrens')).toBeVisible();
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);

  await page.goto(`/pupils?search=${login.username}`);
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Year 4 Wrens' })).toBeVisible();
  await page.getByRole('button', { name: 'UPDATE PUPIL NAME' }).click();
  await page.getByLabel('Name', { exact: true }).fill(renamed);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Details saved')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: renamed })).toBeVisible();
  expect(await logPupilIn(portal, login)).toBe(200);
  // The log shows current names, so a corrected name appears nowhere.
  await expectChange(page, `Moved 1 pupil: ${renamed} from Year 5 Owls to Year 4 Wrens`);
  await expectChange(page, `Renamed ${renamed}`);
});

test('a reset ends a pupil’s password, and only the teacher can open the emailed link to the new one', async ({
  browser,
  logIn,
  portal,
}) => {
  const name = 'Zoë Ní Dhomhnaill';
  const school = await buildSchool(portal, { classes: { 'Year 4 Wrens': [name] }, teacher: ['Eilidh', 'O’Hara'] });
  const before = await loginOf(school, name);
  const page = await logIn(school.admin, `/pupils/${school.pupils.get(name)}`);
  await page.getByRole('button', { name: 'RESET PASSWORD' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click();
  await expect(page.getByRole('article', { name: `Login card for ${name}` })).toBeVisible();
  expect(await logPupilIn(portal, before)).toBe(401);

  const link = await mailedLink(portal, school.admin, '/logins/');
  const theirs = await browser.newPage();
  await fillLogin(theirs, school.teacher, portal.url);
  await theirs.goto(link);
  await expect(theirs.getByText('You cannot see these logins.')).toBeVisible();
  await theirs.close();

  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1, name: 'New logins' })).toBeVisible();
  await expect(page.getByText('For the pupil whose password was reset.')).toBeVisible();
  await expectAccessible(page);
  const printed = (await readCards(await saved(page, 'Logins'), [name])).get(name)!;
  const sheet = Object.values(read(await saved(page, 'Spreadsheet')).Sheets)[0]!;
  expect(utils.sheet_to_json<string[]>(sheet, { header: 1 })).toEqual([
    ['Name', 'Class', 'Username', 'Password'],
    [name, 'Year 4 Wrens', before.username, printed.password],
  ]);
  expect(printed.password).not.toBe(before.password);
  expect(await logPupilIn(portal, printed)).toBe(200);
  await expectChange(page, `Reset the passwords of 1 pupil: ${name}`);

  await page.goto(`/pupils?search=${before.username}`);
  await chooseFrom(page, `Actions for ${name}`, `Delete ${name}`);
  await page.getByRole('button', { name: 'Delete pupil' }).click();
  await expect(page.getByText('The action was successful')).toBeVisible();
  expect(await logPupilIn(portal, printed)).toBe(401);
  await expectChange(page, `Archived 1 pupil: ${name}`);
});

test('the link to a file of logins opens in the browser of the person who made them, after a login', async ({
  browser,
  portal,
}) => {
  const name = 'Abena Owusu-Mensah';
  const school = await buildSchool(portal, { classes: { 'Year 4 Wrens': [name] }, teacher: ['Eilidh', 'O’Hara'] });
  const link = new URL(new URL(school.spreadsheet!).pathname, portal.url).href;
  const page = await browser.newPage();
  expect((await page.goto(link))?.status()).toBe(401);
  await expect(page.getByRole('heading', { level: 1, name: 'Log in to open this file' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Log in' }).click();
  await submitLogin(page, school.admin);
  await expect(page.getByRole('heading', { level: 1, name: 'New logins' })).toBeVisible();
  await expect(page.getByRole('article', { name: `Login card for ${name}` })).toBeVisible();
  await expectAccessible(page);

  const download = page.waitForEvent('download');
  // A link to a download leaves the page as it is, which the browser reports as a failed visit.
  await page.goto(link).catch(() => undefined);
  expect((await download).suggestedFilename()).toBe('logins.xlsx');
  await page.close();

  const theirs = await browser.newPage();
  await fillLogin(theirs, school.teacher, portal.url);
  expect((await theirs.goto(link))?.status()).toBe(404);
  await expect(theirs.getByRole('heading', { level: 1, name: 'You cannot open this file' })).toBeVisible();
  await expectAccessible(theirs);
  await theirs.close();
});
