import type { Page } from '@playwright/test';
import {
  callApi,
  chooseFrom,
  expect,
  expectAccessible,
  expectAccessibleInBothSchemes,
  expectLoaded,
  expectPartAccessible,
  mailedLink,
  PASSWORD,
  test,
} from './portal.ts';
import { expectSoundLayout } from './layout.ts';
import { buildSchool, type School } from './school.ts';
import type { Portal } from './server.ts';

const addressIn = (school: School, person: string) => school.admin.replace(/^head/, person);

/** Collects the calls that the server answers with 403, which log the user out. */
function collectForbidden(page: Page): string[] {
  const forbidden: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) forbidden.push(`${response.request().method()} ${response.url()}`);
  });
  return forbidden;
}

/** Registers an account for an invited person and accepts the invitation on its page. */
async function accept(
  page: Page,
  portal: Portal,
  { email, role, name: [first, last] }: { email: string; role: string; name: [string, string] },
): Promise<void> {
  await page.goto(await mailedLink(portal, email, '/invite/'));
  await expect(page.getByText(`invites you to join Storylark as a ${role}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByLabel('First name').fill(first);
  await page.getByLabel('Last name').fill(last);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('You have joined').first()).toBeVisible();
}

/** Opens each item of the sidebar in turn. Returns their names. */
async function openEachItem(page: Page): Promise<string[]> {
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('listitem').getByRole('link');
  const names = await links.allTextContents();
  for (const name of names) {
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expectLoaded(page);
  }
  return names;
}

/** Invites someone with a role, as an admin. */
const invite = ({ id, token }: School, portal: Portal, email: string, role: string) =>
  callApi(portal, 'POST', `/enterprises/${id}/invites`, { email: [email], roles: [role] }, token);

test('an admin gives a colleague another role, and invites a business manager', async ({ logIn, portal }) => {
  const school = await buildSchool(portal, { classes: { 'Year 3 Otters': [] }, teacher: ['Rhodri', 'Penhale'] });
  const manager = addressIn(school, 'office');
  const page = await logIn(school.admin, '/teachers');
  const forbidden = collectForbidden(page);
  await chooseFrom(page, 'Actions for Rhodri Penhale', 'Change role of Rhodri Penhale');
  const dialog = page.getByRole('dialog', { name: 'Change the role of Rhodri Penhale' });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('radio')).toHaveCount(6);
  await expectPartAccessible(page, 'dialog[open]');
  await page.setViewportSize({ width: 320, height: 640 });
  await expectSoundLayout(page, 'role');
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole('radio', { name: 'Teacher', exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: 'Reading lead or SENCO' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await expect(page.getByText('The role has been changed').first()).toBeVisible();
  await expect(page.getByRole('row', { name: /^Rhodri Penhale/ })).toContainText('Reading lead or SENCO');

  await page.getByRole('link', { name: 'Add Teacher' }).click();
  await page.getByLabel('Email of teacher 1').fill(manager);
  await page.getByLabel('Role of teacher 1').selectOption('Business manager');
  await expect(page.getByLabel('Class of teacher 1 (optional)')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send invitations' }).click();
  await expect(page.getByText('An invitation has been sent to the teachers').first()).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Teachers', exact: true }).click();
  await expect(page.getByRole('row', { name: new RegExp(manager) })).toContainText('Business manager');
  await page.goto('/school/changes');
  await expect(page.getByText('Changed the role of Rhodri Penhale to Reading lead or SENCO')).toBeVisible();
  expect(forbidden).toEqual([]);
});

test('a business manager joins, lands on Subscription, and changes the billing contact', async ({ page, portal }) => {
  const school = await buildSchool(portal, { classes: { 'Year 3 Otters': ['Dilys Quaglino'] } });
  const email = addressIn(school, 'office');
  await invite(school, portal, email, 'business_manager');
  const forbidden = collectForbidden(page);
  await accept(page, portal, { email, role: 'business manager', name: ['Bea', 'Moss'] });
  await expect(page).toHaveURL(`${portal.url}/subscription`);
  await expect(page.getByRole('heading', { level: 1, name: 'Subscription' })).toBeVisible();
  await expect(page.getByRole('banner').getByText('Business manager')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 375, height: 667 });
  await expectSoundLayout(page, 'subscription of a business manager');
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'School', exact: true }).click();
  await page.getByRole('link', { name: 'Update the contacts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Update the contacts' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Billing same as primary').uncheck();
  await page.getByLabel('Contact name').last().fill('Bea Moss');
  await page.getByLabel('Contact email').last().fill(email);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Details saved').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Billing contact' })).toContainText('Bea Moss');

  expect(await openEachItem(page)).toEqual(
    expect.arrayContaining(['My details', 'Subscription', 'School', 'Teachers', 'Contact']),
  );
  for (const path of ['/', '/pupils', '/classes', '/school/changes', '/school/data']) {
    await page.goto(path);
    await expect(page).toHaveURL(`${portal.url}/subscription`);
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dilys');
  await expect(page.getByText('Nothing found with “dilys”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(forbidden).toEqual([]);
});

test('a data protection officer joins, lands on Data and privacy, and records a request about a pupil', async ({
  page,
  portal,
}) => {
  const school = await buildSchool(portal, { classes: { 'Year 3 Otters': ['Dilys Quaglino'] } });
  const email = addressIn(school, 'privacy');
  await invite(school, portal, email, 'data_protection_officer');
  const forbidden = collectForbidden(page);
  await accept(page, portal, { email, role: 'data protection officer', name: ['Dora', 'Quist'] });
  await expect(page).toHaveURL(`${portal.url}/school/data`);
  await expect(page.getByRole('heading', { level: 1, name: 'Data and privacy' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close the school' })).toHaveCount(0);
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 375, height: 667 });
  await expectSoundLayout(page, 'data and privacy of a data protection officer');
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('link', { name: 'Requests and complaints' }).click();
  await page.getByRole('link', { name: 'New request or complaint' }).click();
  await page.getByLabel('Whose data is it?').fill('dilys');
  await expect(page.getByText('Pupil, Year 3 Otters')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Dilys Quaglino' }).click();
  await page.getByRole('link', { name: 'Copy of the data' }).click();
  await page.getByRole('textbox', { name: 'Name of the person who asks' }).fill('Gwen Quaglino');
  await page.getByRole('textbox', { name: 'How you checked who asks' }).fill('Showed a passport');
  await page.getByRole('button', { name: 'Record the request' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Everything about Dilys Quaglino' })).toBeVisible();
  await expect(page.getByText(/^Answer by \d/)).toBeVisible();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Changes', exact: true }).click();
  await expect(page.getByText('Recorded a subject access request about Dilys Quaglino')).toBeVisible();
  await openEachItem(page);
  for (const path of ['/', '/pupils', '/subscription']) {
    await page.goto(path);
    await expect(page).toHaveURL(`${portal.url}/school/data`);
  }
  await expectLoaded(page);
  expect(forbidden).toEqual([]);
});
