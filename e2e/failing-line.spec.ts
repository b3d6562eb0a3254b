import type { Page } from '@playwright/test';
import {
  callApi,
  expect,
  expectAccessible,
  expectListening,
  fillLogin,
  PASSWORD,
  people,
  sessionToken,
  submitLogin,
  test,
  tickBox,
} from './portal.ts';
import { LIST, openNewSchool, pupilLink } from './pupil-list.ts';
import { buildSchool } from './school.ts';
import { answerAway, goTo, holdCalls } from './slow-line.ts';

const plan = { classes: { 'Year 3 Otters': ['Amara Nwachukwu', 'Ben Crane'], 'Year 4 Kingfishers': ['Cleo Wren'] } };

const dialog = (page: Page) => page.getByRole('dialog');
const schoolName = (page: Page) => page.getByRole('textbox', { name: 'School name' });

test('a dialog whose call fails stays open after Escape, says so, and adds the class once when tried again', async ({
  logIn,
  portal,
}) => {
  const { admin } = await buildSchool(portal, plan);
  const page = await logIn(admin, '/classes');
  await page.getByRole('button', { name: 'Add Class' }).click();
  await dialog(page).getByLabel('Name of the class').fill('Year 5 Jays');
  const creation = await holdCalls(page, 'POST', /\/groups$/, answerAway);
  await dialog(page).getByRole('button', { name: 'Add class', exact: true }).click();
  await creation.sent();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeVisible();
  creation.release();
  await expect(dialog(page).getByRole('alert')).toContainText('The portal is not available');
  await expect(dialog(page).getByLabel('Name of the class')).toHaveValue('Year 5 Jays');
  await expectAccessible(page, { part: 'dialog[open]' });
  await dialog(page).getByRole('button', { name: 'Add class', exact: true }).click();
  await expect(page.getByText('The class has been successfully created')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Year 5 Jays', exact: true })).toHaveCount(1);
});

test('books that cannot be assigned stay ticked in the dialog, which Escape does not close meanwhile', async ({
  logIn,
  portal,
}) => {
  const { page } = await openNewSchool({ logIn, portal }, plan);
  await tickBox(page.getByRole('checkbox', { name: 'Select Amara Nwachukwu' }));
  await page.getByLabel('More actions for the selected pupils').click();
  await page.getByRole('button', { name: 'Assign books' }).click();
  const book = dialog(page).getByRole('checkbox').first();
  await tickBox(book);
  const assignment = await holdCalls(page, 'POST', /\/books$/, answerAway);
  await dialog(page).getByRole('button', { name: 'Assign 1 book' }).click();
  await assignment.sent();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeVisible();
  assignment.release();
  await expect(dialog(page).getByRole('alert')).toContainText('The portal is not available');
  await expect(book).toBeChecked();
  await dialog(page).getByRole('button', { name: 'Assign 1 book' }).click();
  await expect(page.getByText('1 book assigned to 1 pupil')).toBeVisible();
});

test('a list that cannot be loaded after a change says that it may be out of date, until it has loaded', async ({
  logIn,
  portal,
}) => {
  const { page } = await openNewSchool({ logIn, portal }, plan);
  await pupilLink(page, 'Amara Nwachukwu').click();
  await page.getByRole('button', { name: 'UPDATE PUPIL NAME' }).click();
  await dialog(page).getByLabel('Name', { exact: true }).fill('Amara Okafor');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Details saved')).toBeVisible();
  await page.route(({ pathname }) => LIST.test(pathname), answerAway);
  await goTo(page, 'Pupils');
  const main = page.getByRole('main');
  const notice = main.getByText('This page may be out of date');
  await expect(notice).toBeVisible();
  await expectAccessible(page);
  const retry = await main.getByRole('button', { name: 'Try again' }).elementHandle();
  await page.unrouteAll();
  // The list may load by itself at this moment, and the button then has gone.
  await retry?.evaluate((button) => (button as HTMLElement).click());
  await expect(pupilLink(page, 'Amara Okafor')).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('a log out while a list is on its way leaves no pupil on the page, and none for the next user', async ({
  page,
  portal,
}) => {
  const { admin } = await buildSchool(portal, plan);
  await fillLogin(page, admin);
  await expectListening(page);
  const list = await holdCalls(page, 'GET', LIST);
  await goTo(page, 'Pupils');
  await list.sent();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login/);
  list.release();
  await submitLogin(page, people.otherAdmin);
  await expect(page.getByRole('banner')).toBeVisible();
  await goTo(page, 'Pupils');
  await expect(page.getByRole('heading', { level: 1, name: 'Pupils' })).toBeVisible();
  await expect(page.getByText(/Amara|Ben Crane/)).toHaveCount(0);
});

test('the school’s details are saved although the user wanted to leave meanwhile, and chose to stay', async ({
  logIn,
  portal,
}) => {
  const { admin } = await buildSchool(portal, plan);
  const page = await logIn(admin, '/edit-school');
  await expectListening(page);
  await schoolName(page).fill('Elm Row Primary');
  const save = await holdCalls(page, 'POST', /\/details$/);
  await page.getByRole('button', { name: 'Save' }).click();
  await save.sent();
  await goTo(page, 'Classes');
  const question = page.getByRole('dialog', { name: 'Leave this page?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(schoolName(page)).toHaveValue('Elm Row Primary');
  save.release();
  await expect(page.getByText('Details saved')).toBeVisible();
  await expect(page.getByText('Elm Row Primary').first()).toBeVisible();
});

test('a session that ends while the details are on their way keeps the text, and saves it after the login', async ({
  page,
  portal,
}) => {
  const { admin } = await buildSchool(portal, plan);
  await fillLogin(page, admin);
  await page.goto('/edit-school');
  await expectListening(page);
  await schoolName(page).fill('Elm Row Primary');
  const save = await holdCalls(page, 'POST', /\/details$/);
  await page.getByRole('button', { name: 'Save' }).click();
  await save.sent();
  await callApi(portal, 'DELETE', '/auth', undefined, await sessionToken(page));
  save.release();
  const login = page.getByRole('dialog', { name: 'Log in again' });
  await login.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await login.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Details saved')).toBeVisible();
  await expect(page.getByText('Elm Row Primary').first()).toBeVisible();
});

test('a quick order and a quick filter on a slow line both count', async ({ logIn, portal }) => {
  const { page, school } = await openNewSchool({ logIn, portal }, plan);
  await page.locator('summary').filter({ hasText: 'All classes' }).click();
  const list = await holdCalls(page, 'GET', LIST);
  const otters = page.getByRole('group', { name: 'Classes shown' }).getByLabel(/^Year 3 Otters/);
  const order = page.getByRole('table', { name: 'Pupils' }).getByRole('link', { name: 'Name', exact: true });
  // Both before the page renders the first.
  await otters.evaluate(
    (box: HTMLElement, link) => {
      (link as HTMLElement).click();
      box.click();
    },
    await order.elementHandle(),
  );
  await list.sent();
  list.release();
  const names = page.getByRole('table', { name: 'Pupils' }).locator('tbody').getByRole('link');
  await expect(page.getByRole('table', { name: 'Pupils' }).getByRole('row')).toHaveCount(3);
  await expect(names.filter({ hasText: /Amara|Ben|Cleo/ })).toHaveText(['Ben Crane', 'Amara Nwachukwu']);
  await expect(page).toHaveURL(new RegExp(`sort=-?name.*groups=${school.classes.get('Year 3 Otters')}`));
});
