import type { Browser, Page } from '@playwright/test';
import {
  callApi,
  chooseFrom,
  expect,
  expectAccessible,
  expectListening,
  expectLoaded,
  mailedLink,
  test,
  tickBox,
} from './portal.ts';
import { buildSchool, type School } from './school.ts';
import type { Portal } from './server.ts';

const CLASS = 'Kingfishers';
const PUPILS = ['Amara Bello', 'Ben Carter', 'Chloe Diaz', 'Dylan Evans', 'Ella Frost', 'Finn Green', 'Grace Hill'];
const OTHER_PUPIL = 'Zed Young';
const TABLET = { viewport: { width: 768, height: 1024 }, hasTouch: true } as const;
const ENDED = 'Your cover has ended. If you still teach the class, ask the school for a new card.';

/** A class with a teacher and a pupil with a note, and another class. */
async function buildCoveredSchool(portal: Portal): Promise<{ school: School; classId: number }> {
  const school = await buildSchool(portal, {
    classes: { [CLASS]: PUPILS, Owls: [OTHER_PUPIL] },
    teacher: ['Priya', 'Shah'],
  });
  const path = `/enterprises/${school.id}`;
  const { enterprise } = await callApi<{ enterprise: { users: { id: number; email: string }[] } }>(
    portal,
    'GET',
    path,
    undefined,
    school.token,
  );
  const teacher = enterprise.users.find(({ email }) => email === school.teacher);
  const classId = school.classes.get(CLASS)!;
  await callApi(portal, 'POST', `${path}/groups/${classId}/users/${teacher?.id}`, undefined, school.token);
  const note = { text: 'Wears glasses' };
  await callApi(portal, 'POST', `${path}/readers/${school.pupils.get('Amara Bello')}/notes`, note, school.token);
  return { school, classId };
}

/** A supply teacher's cover and the code on the card, without the screens of the class's teacher. */
async function makeCard(
  portal: Portal,
  { id, token }: School,
  classId: number,
  ms = 3_600_000,
): Promise<{ cardCode: string; coverPath: string }> {
  const ends_at = new Date(Date.now() + ms).toISOString();
  const path = `/enterprises/${id}/covers`;
  const body = { group_id: classId, first_name: 'Sam', last_name: 'Reed', ends_at };
  const { cover } = await callApi<{ cover: { id: number } }>(portal, 'POST', path, body, token);
  const coverPath = `${path}/${cover.id}`;
  const { card } = await callApi<{ card: { code: string } }>(portal, 'POST', `${coverPath}/card`, undefined, token);
  return { cardCode: card.code, coverPath };
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const code = (page: Page) => page.getByLabel('Code', { exact: true });
const logIn = (page: Page) => page.getByRole('button', { name: 'Log in', exact: true });

/** Opens the address of a card's QR code on a tablet of its own, and notes each reply with status 403. */
async function scan(browser: Browser, portal: Portal, cardCode: string): Promise<{ page: Page; forbidden: string[] }> {
  const page = await (await browser.newContext({ baseURL: portal.url, ...TABLET })).newPage();
  const forbidden: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) forbidden.push(`${response.request().method()} ${response.url()}`);
  });
  await page.goto(`/supply#${cardCode}`);
  await expect(code(page)).toHaveValue(cardCode);
  await expect(page).toHaveURL('/supply');
  return { page, forbidden };
}

/** The class's teacher starts a cover on the class's page. Returns the code on the card. */
async function startCover(page: Page): Promise<string> {
  await chooseFrom(page, `More to do with ${CLASS}`, 'Cover');
  const dialog = page.getByRole('dialog', { name: `Let someone cover ${CLASS}` });
  await dialog.getByLabel('First name', { exact: true }).fill('Sam');
  await dialog.getByLabel('Last name', { exact: true }).fill('Reed');
  await dialog.getByLabel('Another day and time', { exact: true }).check();
  await dialog
    .getByLabel('Day', { exact: true })
    .fill(new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10));
  await dialog.getByLabel('Time', { exact: true }).fill('15:30');
  await dialog.getByRole('button', { name: 'Start cover', exact: true }).click();
  const card = page.getByRole('dialog', { name: 'Card for Sam Reed' });
  const shown = await card.locator('[aria-label^="Code "]').getAttribute('aria-label');
  await card.getByRole('button', { name: 'Close', exact: true }).first().click();
  await expect(card).toBeHidden();
  return shown?.replace('Code ', '') ?? '';
}

/** Makes new login cards for six pupils of the class. */
async function makeSixLogins(page: Page): Promise<void> {
  for (const name of PUPILS.slice(0, 6)) await tickBox(page.getByRole('checkbox', { name: `Select ${name}` }));
  await page.getByRole('button', { name: 'Reset Passwords' }).click();
  const question = page.getByRole('dialog', { name: 'Reset the passwords of 6 pupils?' });
  await question.getByRole('button', { name: 'Reset passwords', exact: true }).click();
  const cards = page.getByRole('dialog', { name: 'New login cards for 6 pupils' });
  await expect(cards.getByRole('article')).toHaveCount(6);
  await cards.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(cards).toBeHidden();
}

test(
  'a supply teacher covers a class on a tablet, until someone else enters the code',
  { tag: '@touch' },
  async ({ browser, logIn: logInAs, portal }) => {
    const { school, classId } = await buildCoveredSchool(portal);
    const teacher = await logInAs(school.teacher, `/classes/${classId}`);
    const cardCode = await startCover(teacher);

    const { page, forbidden } = await scan(browser, portal, cardCode);
    await expectAccessible(page);
    await logIn(page).click();
    await expect(page).toHaveURL(`/classes/${classId}`);
    await expect(title(page, CLASS)).toBeVisible();
    await expect(page.getByRole('banner').getByText(/^until /)).toBeVisible();
    await expectLoaded(page);
    await expectAccessible(page);
    await makeSixLogins(page);

    await page.getByRole('main').getByRole('link', { name: 'Amara Bello', exact: true }).first().click();
    await expect(title(page, 'Amara Bello')).toBeVisible();
    await expectLoaded(page);
    for (const heading of ['Notes', 'Tags', 'Words to practise'])
      await expect(page.getByRole('heading', { name: heading, exact: true })).toHaveCount(0);
    await expect(page.getByText('Wears glasses')).toHaveCount(0);
    await page.goto(`/pupils/${school.pupils.get(OTHER_PUPIL)}`);
    await expect(title(page, 'Pupil not found')).toBeVisible();
    await page.goto('/teachers');
    await expect(title(page, CLASS)).toBeVisible();
    await expectLoaded(page);
    expect(forbidden, 'replies with status 403').toEqual([]);

    // The same code within a minute is the same form sent twice.
    await portal.edit(`update one_time_links set used_at = used_at - interval '2 minutes' where kind = 'supply_code'`);
    const { page: third } = await scan(browser, portal, cardCode);
    await logIn(third).click();
    await expect(third.getByText(/^This code has been used already/).first()).toBeVisible();
    await expectAccessible(third);
    await page.getByRole('link', { name: 'Ben Carter', exact: true }).first().click();
    await expect(page).toHaveURL('/supply?action=cover-ended');
    await expect(page.getByText(ENDED).first()).toBeVisible();
    await expect(page.getByText('Ben Carter')).toHaveCount(0);
    await expectAccessible(page);

    expect(await mailedLink(portal, school.teacher, `/classes/`)).toContain(`/classes/${classId}`);
    const admin = await logInAs(school.admin, '/school/changes');
    const changes = admin.getByRole('table', { name: 'Changes' });
    await expect(changes.getByText(/used code of Sam Reed/).first()).toBeVisible();
    await expect(changes.getByText(/^Sam Reed/).first()).toBeVisible();
    await expectLoaded(admin);
    for (const one of [page, third]) await one.context().close();
  },
);

test('the names leave a supply teacher’s screen at the end of the cover, without a press', async ({
  browser,
  portal,
}) => {
  const { school, classId } = await buildCoveredSchool(portal);
  const { cardCode } = await makeCard(portal, school, classId, 30_000);
  const { page } = await scan(browser, portal, cardCode);
  await logIn(page).click();
  await expect(page.getByRole('link', { name: 'Amara Bello', exact: true }).first()).toBeVisible();
  await expect(page).toHaveURL('/supply?action=cover-ended');
  await expect(page.getByText(ENDED).first()).toBeVisible();
  await expect(page.getByText('Amara Bello')).toHaveCount(0);
  await page.context().close();
});

test('no screen of a supply teacher makes a call that they must not make', async ({ browser, portal }) => {
  const { school, classId } = await buildCoveredSchool(portal);
  const { cardCode, coverPath } = await makeCard(portal, school, classId);
  const { page, forbidden } = await scan(browser, portal, cardCode);
  await logIn(page).click();
  await expect(title(page, CLASS)).toBeVisible();
  const pupil = `/pupils/${school.pupils.get('Ben Carter')}`;
  for (const [path, name] of [
    ['/classes', 'Classes'],
    ['/pupils', 'Pupils'],
    ['/pupils/logins', 'Pupils’ logins'],
    [`/classes/${classId}${pupil}`, 'Ben Carter'],
    [`${pupil}/books`, 'Ben Carter'],
    ['/overview', 'Help and support'],
    ['/faq/20', 'FAQs'],
    ['/account', CLASS],
  ] as const) {
    await page.goto(path);
    await expect(title(page, name)).toBeVisible();
    await expectLoaded(page);
    await page.waitForLoadState('networkidle');
  }
  expect(forbidden, 'replies with status 403').toEqual([]);

  // Ended by hand: a page that is loaded again says why it asks for a code.
  await callApi(portal, 'DELETE', coverPath, undefined, school.token);
  await page.reload();
  await expect(page).toHaveURL('/supply?action=cover-ended');
  await expect(page.getByText(ENDED).first()).toBeVisible();
  await page.context().close();
});

test('a supply teacher who logs out confirms it first, and cannot use the card again', async ({ browser, portal }) => {
  const { school, classId } = await buildCoveredSchool(portal);
  const { cardCode } = await makeCard(portal, school, classId);
  const { page } = await scan(browser, portal, cardCode);
  await logIn(page).click();
  await expect(title(page, CLASS)).toBeVisible();
  // Before the scripts have arrived, the button logs out without a question.
  await expectListening(page);
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Log out and end your access?' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(title(page, 'Log in')).toBeVisible();
  await page.getByRole('link', { name: 'Log in with the code on your card' }).click();
  await code(page).fill(cardCode.toLowerCase().replaceAll('-', ' '));
  await logIn(page).click();
  await expect(page.getByText(/^This code has been used already/).first()).toBeVisible();
  await page.context().close();
});

test('a supply teacher logs in without scripts', async ({ browser, portal }) => {
  const { school, classId } = await buildCoveredSchool(portal);
  const { cardCode } = await makeCard(portal, school, classId);
  const context = await browser.newContext({ baseURL: portal.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/supply');
  await code(page).fill('2222-3333-4444');
  await logIn(page).click();
  await expect(page.getByText(/^This code does not work/).first()).toBeVisible();
  await code(page).fill(cardCode);
  await logIn(page).click();
  await expect(title(page, CLASS)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Amara Bello', exact: true }).first()).toBeVisible();
  await context.close();
});
