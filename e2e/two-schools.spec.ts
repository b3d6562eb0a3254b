import type { BrowserContext, Page } from '@playwright/test';
import {
  callApi,
  expect,
  expectAccessible,
  expectAccessibleInTheDark,
  fillLogin,
  mailedLink,
  PASSWORD,
  test,
} from './portal.ts';
import { buildSchool, type School } from './school.ts';
import type { Portal } from './server.ts';

const nameField = (page: Page) => page.getByRole('textbox', { name: 'School name' });
const shownSchool = (page: Page) => page.getByRole('navigation', { name: 'Main' }).locator('p').first();

/** Invites the admin of the first school to the second, as an admin, and returns the link in the email. */
async function inviteToSecond(portal: Portal): Promise<{ first: School; second: School; link: string }> {
  const first = await buildSchool(portal);
  const second = await buildSchool(portal);
  const body = { email: [first.admin], name: ['Olive Oak'], role: 'admin' };
  await callApi(portal, 'POST', `/enterprises/${second.id}/invites`, body, second.token);
  return { first, second, link: await mailedLink(portal, first.admin, '/invite/') };
}

/** A person who is logged in to the second of their two schools. */
async function workAtTwo(page: Page, portal: Portal) {
  const { first, second, link } = await inviteToSecond(portal);
  await fillLogin(page, first.admin);
  await page.goto(link);
  await page.getByRole('button', { name: /^Accept as / }).click();
  await expect(page.getByText(`You have joined ${second.name}`)).toBeVisible();
  return { first, second };
}

/** Switches by the link beside the school's name. */
async function switchByLink(page: Page, to: School): Promise<void> {
  await page.getByRole('link', { name: 'Switch school' }).first().click();
  await page.getByRole('button', { name: `Switch to ${to.name}` }).click();
  await expect(page.getByText(`You have switched to ${to.name}`)).toBeVisible();
  await expect(shownSchool(page)).toContainText(to.name);
}

/** Types a new name of the current school, and switches to the other school in another tab, which it returns. */
async function typeNameAndSwitch(page: Page, context: BrowserContext, to: School): Promise<Page> {
  await page.goto('/edit-school');
  await nameField(page).fill('Elm Row Primary');
  const tab = await context.newPage();
  await tab.goto('/');
  await switchByLink(tab, to);
  return tab;
}

test('a member of staff joins a second school with a proof, and switches with the link and with Ctrl K', async ({
  page,
  portal,
}) => {
  const { first, second, link } = await inviteToSecond(portal);
  await fillLogin(page, first.admin);
  await portal.edit("update sessions set proved_at = now() - interval '16 minutes'");
  await page.goto(link);
  await expect(page.getByText(`You stay at ${first.name}.`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Accept as / }).click();
  await expect(page.getByText(`You already work at ${first.name}`)).toBeVisible();
  await expectAccessible(page);
  await expectAccessibleInTheDark(page);
  await page.getByRole('button', { name: 'Confirm and join' }).click();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page.getByText(`You have switched to ${second.name}`)).toBeVisible();
  await expect(shownSchool(page)).toContainText(second.name);

  await page.goto('/account');
  await page.getByRole('link', { name: 'Your schools' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: second.name })).toContainText('You are here');
  await expectAccessible(page);
  await expectAccessibleInTheDark(page);
  await switchByLink(page, first);
  await expect(page.getByText(second.name)).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await page.keyboard.type(`switch ${second.name}`);
  await expect(page.getByRole('option', { name: `Switch to ${second.name}` })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText(`You have switched to ${second.name}`)).toBeVisible();
  await expect(shownSchool(page)).toContainText(second.name);
  await expect(page.getByText(first.name)).toHaveCount(0);

  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, first.admin);
  await expect(shownSchool(page)).toContainText(second.name);
});

test('a form of a school that was left in another tab is not saved until the user switches back', async ({
  page,
  portal,
  context,
}) => {
  const { first, second } = await workAtTwo(page, portal);
  await switchByLink(page, first);
  const tab = await typeNameAndSwitch(page, context, second);
  await expect(nameField(page)).toHaveValue('Elm Row Primary');
  await expect(shownSchool(page)).toContainText(first.name);

  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'You have switched to another school' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, { part: 'dialog[open]' });
  await expectAccessibleInTheDark(page, 'dialog[open]');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toContainText('You have switched to another school in the meantime.');
  await expect(nameField(page)).toHaveValue('Elm Row Primary');
  await expect(tab.getByText('Elm Row Primary')).toHaveCount(0);

  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: `Switch back to ${first.name}` }).click();
  await expect(page.getByText('Details saved')).toBeVisible();
  // The other tab has no unsaved work, so it follows, before the name is saved or after.
  await expect(shownSchool(tab)).toContainText(new RegExp(`${first.name}|Elm Row Primary`));
  await switchByLink(tab, second);
  // Nothing is unsaved here now, so this tab follows too.
  await expect(shownSchool(page)).toContainText(second.name);
});

test('a tab without unsaved work follows a switch in another', async ({ page, portal, context }) => {
  const { first, second } = await workAtTwo(page, portal);
  await page.goto('/teachers');
  const tab = await context.newPage();
  await tab.goto('/');
  await switchByLink(tab, first);
  await expect(page).toHaveURL(`${portal.url}/`);
  await expect(shownSchool(page)).toContainText(first.name);
  await expect(page.getByText(second.name)).toHaveCount(0);
});

test('a login over a form returns to the school of the form', async ({ page, portal, context }) => {
  const { first, second } = await workAtTwo(page, portal);
  const tab = await typeNameAndSwitch(page, context, first);
  await portal.edit(`delete from sessions where user_id = (select id from users where email = '${first.admin}')`);

  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in again' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Details saved')).toBeVisible();
  await expect(page).toHaveURL(/\/school$/);
  await expect(shownSchool(page)).toContainText('Elm Row Primary');
  await expect(shownSchool(tab)).toContainText(new RegExp(`${second.name}|Elm Row Primary`));
  // It has kept its name.
  await switchByLink(page, first);
  await expect(shownSchool(tab)).toContainText(first.name);
});

test('a member of a locked school leaves it for another one', async ({ page, portal }) => {
  const { first, second } = await workAtTwo(page, portal);
  await portal.edit(
    `update subscriptions set starts_at = now() - interval '40 days', expires_at = now() - interval '1 day' where school_id = ${second.id}`,
  );
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Switch school' }).first()).toBeVisible();
  await expectAccessible(page);
  await switchByLink(page, first);
});
