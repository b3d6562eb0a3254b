import type { Page } from '@playwright/test';
import {
  callApi,
  chooseFrom,
  expect,
  expectAccessible,
  expectAccessibleInTheDark,
  fillLogin,
  PASSWORD,
  people,
  sessionToken,
  submitLogin,
  test,
} from './portal.ts';
import { buildSchool } from './school.ts';
import type { Portal } from './server.ts';

/** Ends the page's session on the server alone, once the page has all that it asked for. */
async function endOnServer(page: Page, portal: Portal): Promise<void> {
  await page.waitForLoadState('networkidle');
  await callApi(portal, 'DELETE', '/auth', undefined, await sessionToken(page));
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Log in again' });
const nameField = (page: Page) => page.getByRole('textbox', { name: 'School name' });

async function logInAgain(page: Page): Promise<void> {
  await dialogOf(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialogOf(page).getByRole('button', { name: 'Log in' }).click();
}

async function openEditSchool(page: Page, email: string, typed: string): Promise<void> {
  await fillLogin(page, email);
  await page.goto('/edit-school');
  await nameField(page).fill(typed);
}

async function enterPassword(page: Page, email: string): Promise<void> {
  await submitLogin(page, email);
  await expect(page).not.toHaveURL(/\/login/);
}

test('the same user logs in again over a form and saves what was typed', async ({ page, portal }) => {
  const { admin } = await buildSchool(portal);
  await openEditSchool(page, admin, 'Elm Row Primary');
  await endOnServer(page, portal);
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = dialogOf(page);
  await expect(dialog.getByLabel('Email')).toHaveValue(admin);
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  await expectAccessible(page, { part: 'dialog[open]' });
  await expectAccessibleInTheDark(page, 'dialog[open]');

  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('alert')).toContainText('Your session has ended.');
  await expect(nameField(page)).toHaveValue('Elm Row Primary');

  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill('wrong password');
  await dialog.getByRole('button', { name: 'Log in' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Login failed');
  await logInAgain(page);
  await expect(page.getByText('Details saved')).toBeVisible();
  await expect(page.getByText('Elm Row Primary').first()).toBeVisible();
});

test('an ended session leads a page without unsaved work to the login, with the reason and the way back', async ({
  page,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  await fillLogin(page, admin);
  await page.goto('/classes');
  await endOnServer(page, portal);
  await page.getByRole('navigation').getByRole('link', { name: 'Pupils', exact: true }).click();
  await expect(page.getByText('Your session has ended. Log in again to continue.').first()).toBeVisible();
  await expect(page).toHaveURL(/\/login\?redirect=%2Fpupils&action=session-ended$/);
  await enterPassword(page, admin);
  await expect(page).toHaveURL(/\/pupils$/);
});

test('a second user who logs in over an ended session sees nothing of the first', async ({ page, portal, context }) => {
  const { admin } = await buildSchool(portal);
  await openEditSchool(page, admin, 'Elm Row Primary');
  await endOnServer(page, portal);
  await page.getByRole('button', { name: 'Save' }).click();
  const opened = context.waitForEvent('page');
  await dialogOf(page).getByRole('link', { name: 'open the login page in a new tab' }).click();
  const tab = await opened;
  await expect(tab.getByText('Your session has ended. Log in again to continue.').first()).toBeVisible();
  // The first tab waits for its user.
  await expect(nameField(page)).toHaveValue('Elm Row Primary');
  const saved: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && saved.push(request.url()));
  await enterPassword(tab, people.otherAdmin);
  await expect(page).toHaveURL(`${portal.url}/`);
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByText(/Elm Row|Oak Row|Olive/)).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(saved).toEqual([]);
});

test('a half-filled form is gone when another user logs in in a second tab', async ({ page, portal, context }) => {
  const { admin } = await buildSchool(portal);
  await openEditSchool(page, admin, 'Elm Row Primary');
  const tab = await context.newPage();
  await tab.goto('/logout');
  await expect(tab).toHaveURL(/\/login/);
  await expect(page).toHaveURL(/\/login/);
  await enterPassword(tab, people.otherAdmin);
  await expect(page).toHaveURL(`${portal.url}/`);
  await expect(page.getByText(/Elm Row|Oak Row|Olive/)).toHaveCount(0);
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain('Elm Row');
});

test('a draft is offered after a login on the login page, and only to its user', async ({ page, portal }) => {
  const { admin } = await buildSchool(portal);
  await openEditSchool(page, admin, 'Elm Row Primary');
  await page.route(/LogInAgainDialog|log-in-again/, (route) => route.abort());
  await endOnServer(page, portal);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/login\?redirect=%2Fedit-school&action=session-ended$/);
  await expect(page.getByText('Your session has ended. Log in again to continue.').first()).toBeVisible();
  await enterPassword(page, admin);
  await expect(page).toHaveURL(/\/edit-school$/);
  await expect(nameField(page)).toHaveValue(/Oak Row/);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use it' }).click();
  await expect(nameField(page)).toHaveValue('Elm Row Primary');

  await endOnServer(page, portal);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await enterPassword(page, people.otherAdmin);
  await expect(page).toHaveURL(/\/edit-school$/);
  await expect(nameField(page)).not.toHaveValue(/Elm|Oak/);
  await expect(page.getByText('We kept what you typed')).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Elm Row');
});

test('Undo ends with the session', async ({ page, portal }) => {
  const { admin } = await buildSchool(portal, { classes: { Badgers: ['Amara Nwachukwu'] } });
  await fillLogin(page, admin);
  await page.goto('/pupils');
  await chooseFrom(page, 'Actions for Amara Nwachukwu', 'Delete Amara Nwachukwu');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page
    .getByRole('link', { name: 'Log out' })
    .or(page.getByRole('button', { name: 'Log out' }))
    .first()
    .click();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText(/Amara/)).toHaveCount(0);
  await enterPassword(page, people.otherAdmin);
  await expect(page.getByText(/Amara/)).toHaveCount(0);
  const changes: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && changes.push(request.url()));
  await page.keyboard.press('Control+z');
  await page.getByRole('navigation').getByRole('link', { name: 'Pupils', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pupils' })).toBeVisible();
  expect(changes).toEqual([]);
});

test('the question before leaving needs no script of its own', async ({ page, portal }) => {
  const { admin } = await buildSchool(portal);
  await openEditSchool(page, admin, 'Elm Row Primary');
  await page.route(/\.js$/, (route) => route.abort());
  const link = page.getByRole('navigation').getByRole('link', { name: 'Classes', exact: true });
  await link.click();
  const question = page.getByRole('dialog', { name: 'Leave this page?' });
  await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused();
  await expectAccessible(page);
  await expectAccessibleInTheDark(page);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(link).toBeFocused();
  await expect(nameField(page)).toHaveValue('Elm Row Primary');
  await page.unroute(/\.js$/);
  await link.click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/classes$/);
});
