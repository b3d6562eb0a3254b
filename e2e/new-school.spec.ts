import { readFileSync } from 'node:fs';
import { read, utils, write } from '@e965/xlsx';
import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, expectAccessible, registerSchool, mailedLink, test, type Portal } from './portal.ts';

const ADMIN = 'olive@oak-row.example';
const TEACHERS = ['first@oak-row.example', 'second@oak-row.example'] as const;

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
/** Thirty pupils; no two of the lists share a name. */
const pupilsOf = (list: number): [forename: string, surname: string][] =>
  FORENAMES.map((forename, index) => [forename, SURNAMES[(index + list * 7) % SURNAMES.length] ?? '']);
/** As the portal writes a name. */
const tidy = (name: string) => name.replaceAll('’', "'");
const fullNames = (list: number) => pupilsOf(list).map((parts) => tidy(parts.join(' ')));

function workbook(rows: string[][], bookType: 'biff8' | 'xlsx'): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Roll');
  return write(book, { type: 'buffer', bookType }) as Buffer;
}

const saved = async (page: Page, button: string): Promise<Buffer> => {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  return readFileSync(await (await download).path());
};

interface Login {
  username: string;
  password: string;
}

/** A name as it is found on a card, where lines break after a word or a hyphen. */
const squash = (text: string) => text.normalize('NFC').replace(/\s+/g, '');

/** Reads printed login cards. Fails unless there is one for each of these names. */
async function readCards(pdf: Buffer, names: readonly string[]): Promise<Map<string, Login>> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  const cards = [...text.matchAll(/([\s\S]*?)Username\s+(\S+)\s+Password\s+(\S+)\s+Log in to \S+ at \S+/g)];
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

/** Logs a pupil in as the reading app does, and answers the status. */
async function logPupilIn(portal: Portal, login: Login): Promise<number> {
  const { status } = await fetch(`${portal.url}/v1/reader/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  });
  return status;
}

/** Gives the school room for more than the thirty pupils of a trial: there is no screen to buy that yet. */
const subscribe = (portal: Portal) =>
  portal.alter(
    `insert into subscriptions (school_id, package_id, is_trial, max_readers, payment_amount_pence, starts_at, expires_at)
    select users.school_id, packages.id, false, packages.max_readers, packages.price_pence, now(), now() + interval '1 year'
    from users, packages where users.email = $1 and packages.title = 'Key stage'`,
    [ADMIN],
  );

/** Adds the thirty pupils of the list that is on the screen, and hands out their logins. */
async function addAndPrint(page: Page, portal: Portal, names: readonly string[]): Promise<Map<string, Login>> {
  await page.getByRole('button', { name: 'Add 30 pupils', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New logins' });
  await expect(dialog.getByText('The pupils have been created and added to your school')).toBeVisible();
  const cards = await readCards(await saved(page, 'Logins'), names);
  expect(await logPupilIn(portal, cards.get(names[0] ?? '')!)).toBe(200);
  await dialog.getByLabel('I have downloaded the files').check();
  await dialog.getByRole('button', { name: 'Close' }).click();
  return cards;
}

test('an empty school gets its classes, its teachers and ninety pupils, and looks after one of them', async ({
  browser,
  logIn,
  portal,
}) => {
  await registerSchool(portal, ADMIN);
  await subscribe(portal);
  const page = await logIn(ADMIN);
  const theirs = await browser.newPage();
  await expect(page.getByRole('heading', { name: 'Set up your school' })).toBeVisible();

  await test.step('teachers are invited, and one joins', async () => {
    await page.getByRole('link', { name: /Invite other teachers/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Add Teacher' })).toBeVisible();
    for (const [index, email] of TEACHERS.entries()) await page.getByLabel(`Email of teacher ${index + 1}`).fill(email);
    await page.getByRole('button', { name: 'Send invitations' }).click();
    await expect(page.getByText('An invitation has been sent to the teachers')).toBeVisible();

    await theirs.goto(await mailedLink(portal, TEACHERS[0], '/invite/'));
    await theirs.getByRole('button', { name: 'Register' }).click();
    await expect(theirs.getByLabel('Email')).toHaveValue(TEACHERS[0]);
    await theirs.getByLabel('First name').fill('Eilidh');
    await theirs.getByLabel('Last name').fill('O’Hara');
    await theirs.getByLabel('Password', { exact: true }).fill('kettle over 7 hills');
    await theirs.getByRole('button', { name: 'Register' }).click();
    await expect(theirs.getByRole('banner').getByText('TEACHER')).toBeVisible();
  });

  await test.step('a class is made, and thirty pupils are pasted into it', async () => {
    await page.goto('/classes');
    await page.getByRole('button', { name: 'Add Class' }).first().click();
    await page.getByLabel('Name of the class').fill('Year 3 Robins');
    await page.getByRole('button', { name: 'Add class', exact: true }).click();
    await expect(page.getByText('The class has been successfully created')).toBeVisible();
    await page.getByRole('link', { name: 'Year 3 Robins', exact: true }).click();
    await expect(page.getByText('No pupils in this class')).toBeVisible();
    await page.getByRole('link', { name: 'Add Pupils' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Add Pupils' })).toBeVisible();

    await page.getByLabel('Or paste the cells').focus();
    const cells = [['Forename', 'Surname'], ...pupilsOf(0)].map((row) => row.join('\t')).join('\r\n');
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, `${cells}\r\n`);
    await addAndPrint(page, portal, fullNames(0));
    await expect(page.getByRole('heading', { level: 1, name: 'Year 3 Robins' })).toBeVisible();
    for (const name of fullNames(0)) await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  });

  await test.step('thirty come from an old Excel file, which makes a class', async () => {
    await page.goto('/school/add-readers');
    const rows = [['Name', 'Class'], ...pupilsOf(1).map((parts) => [parts.join(' '), 'Year 4 Wrens'])];
    await page.locator('input[type=file]').setInputFiles({
      name: 'wrens.xls',
      mimeType: 'application/vnd.ms-excel',
      buffer: workbook(rows, 'biff8'),
    });
    await expect(page.getByText('1 class will be created: Year 4 Wrens.')).toBeVisible();
    await addAndPrint(page, portal, fullNames(1));
    await expect(page.getByRole('heading', { level: 1, name: 'Pupils' })).toBeVisible();
  });

  let cards = new Map<string, Login>();
  await test.step('thirty come from a new one, for two classes of which one is new', async () => {
    await page.goto('/school/add-readers');
    const rows = [
      ['Surname', 'Forename', 'Class'],
      ...pupilsOf(2).map(([forename, surname], index) => [
        surname,
        forename,
        index < 25 ? 'Year 5 Owls' : 'Year 3 Robins',
      ]),
    ];
    await page.locator('input[type=file]').setInputFiles({
      name: 'owls.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: workbook(rows, 'xlsx'),
    });
    await expect(page.getByText('1 class will be created: Year 5 Owls.')).toBeVisible();
    cards = await addAndPrint(page, portal, fullNames(2));
    await expect(page.getByRole('heading', { level: 1, name: 'Pupils' })).toBeVisible();
    await page.goto('/classes');
    for (const [name, pupils] of [
      ['Year 3 Robins', 35],
      ['Year 4 Wrens', 30],
      ['Year 5 Owls', 25],
    ] as const)
      await expect(page.getByRole('row', { name: new RegExp(`^${name} .*\\b${pupils}\\b`) })).toBeVisible();
  });

  const [name = ''] = fullNames(2);
  const renamed = 'Zoë Ní Dhomhnaill';
  const first = cards.get(name)!;
  await test.step('a pupil moves to another class and is renamed', async () => {
    await page.getByRole('link', { name: 'Year 5 Owls', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Year 5 Owls' })).toBeVisible();
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('button', { name: 'Change Class' }).click();
    const dialog = page.getByRole('dialog', { name: `Change class of ${name}` });
    await dialog.getByRole('combobox', { name: 'New class' }).selectOption({ label: 'Year 4 Wrens (30 pupils)' });
    await dialog.getByRole('button', { name: 'Change class' }).click();
    await expect(page.getByText('1 pupil moved to Year 4 Wrens')).toBeVisible();
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);

    await page.goto(`/pupils?search=${first.username}`);
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'Year 4 Wrens' })).toBeVisible();
    await page.getByRole('button', { name: 'UPDATE PUPIL NAME' }).click();
    await page.getByLabel('Name', { exact: true }).fill(renamed);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Details saved')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: renamed })).toBeVisible();
    expect(await logPupilIn(portal, first)).toBe(200);
  });

  await test.step('a reset ends the old password, and the mailed link leads to the new one', async () => {
    await page.getByRole('button', { name: 'RESET PASSWORD' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click();
    await expect(page.getByText("The pupil's password has been reset.")).toBeVisible();
    expect(await logPupilIn(portal, first)).toBe(401);

    const link = await mailedLink(portal, ADMIN, '/logins/');
    await theirs.goto(link);
    await expect(theirs.getByText('There are no such logins for you.')).toBeVisible();
    await theirs.close();
    await page.goto(link);
    await expect(page.getByRole('heading', { level: 1, name: 'New logins' })).toBeVisible();
    await expect(page.getByText('Of the 1 pupil whose password was reset.')).toBeVisible();
    await expectAccessible(page);
    const printed = (await readCards(await saved(page, 'Logins'), [renamed])).get(renamed)!;
    const sheet = Object.values(read(await saved(page, 'Spreadsheet')).Sheets)[0]!;
    expect(utils.sheet_to_json<string[]>(sheet, { header: 1 })).toEqual([
      ['Name', 'Class', 'Username', 'Password'],
      [renamed, 'Year 4 Wrens', first.username, printed.password],
    ]);
    expect(printed.password).not.toBe(first.password);
    expect(await logPupilIn(portal, printed)).toBe(200);

    await page.goto(`/pupils?search=${first.username}`);
    await page.getByRole('button', { name: `Delete ${renamed}` }).click();
    await page.getByRole('button', { name: 'Delete pupil' }).click();
    await expect(page.getByText('The action was successful')).toBeVisible();
    expect(await logPupilIn(portal, printed)).toBe(401);
  });

  await test.step('the school’s list of changes tells it all', async () => {
    await page.goto('/school');
    const changes = page.getByRole('table', { name: 'Changes' });
    for (const change of [
      `Invited ${TEACHERS[0]}`,
      `Invited ${TEACHERS[1]}`,
      'Accepted an invitation and joined the school',
      'Created the class Year 3 Robins',
      'Created the class Year 4 Wrens',
      'Created the class Year 5 Owls',
      `Moved 1 pupil: ${name} from Year 5 Owls to Year 4 Wrens`,
      `Renamed the pupil ${name} to ${renamed}`,
      `Reset the passwords of 1 pupil: ${renamed}`,
      `Deleted the pupil ${renamed}`,
    ])
      await expect(changes.getByText(change, { exact: true })).toBeVisible();
    await expect(changes.getByText(/^Added 30 pupils: /)).toHaveCount(3);
    await expect(changes.getByRole('row', { name: /^Accepted an invitation/ })).toContainText('Eilidh O’Hara');
  });
});
