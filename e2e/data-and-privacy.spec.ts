import type { Page } from '@playwright/test';
import type { ReplyOf } from '#contract/call.ts';
import type { recordViewCalls } from '#contract/calls/record-views.ts';
import type { schoolCalls } from '#contract/calls/school.ts';
import {
  callApi,
  chooseFrom,
  expect,
  expectAccessibleInBothSchemes,
  expectPartAccessible,
  fillLogin,
  openBrowser,
  savePdf,
  submitLogin,
  test,
} from './portal.ts';
import { buildSchool } from './school.ts';

test('an admin erases a pupil, downloads the receipt, and shortens a period', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal, { classes: { 'Year 3 Otters': ['Dilys Quaglino', 'Tilly Marsh'] } });
  const page = await logIn(admin, '/pupils');
  await chooseFrom(page, 'Actions for Dilys Quaglino', 'Delete Dilys Quaglino');
  await page.getByRole('button', { name: 'Delete pupil' }).click();
  await expect(page.getByRole('link', { name: 'Dilys Quaglino' })).toHaveCount(0);
  await page.goto('/pupils/archive');
  await page.getByRole('checkbox', { name: 'Select Dilys Quaglino' }).check();
  await page.getByRole('button', { name: 'Erase now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase now' }).click();
  await expect(page.getByText('The archive is empty')).toBeVisible();

  await page.goto('/school');
  await page.getByRole('link', { name: 'Data and privacy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Data and privacy' })).toBeVisible();
  await expect(page.getByText('Dilys')).toHaveCount(0);
  await savePdf(page, page.getByRole('button', { name: /^Download receipt/ }));

  await page.getByText('Reading sessions', { exact: true }).click();
  await expect(page.getByText('To show staff what to practise.')).toBeVisible();
  await page.getByRole('button', { name: 'Change the period of Reading sessions' }).click();
  await page.getByRole('combobox', { name: 'Keep: Reading sessions' }).selectOption('1 year');
  await expectPartAccessible(page, 'dialog[open]');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^1 year after the session/).first()).toBeVisible();
  const keep = page.getByRole('switch', { name: 'Keep dates of birth and UPNs from lists of pupils' });
  await expect(keep).not.toBeChecked();
  await keep.click();
  await expect(keep).toBeChecked();
  await expect(keep).toBeEnabled();
  await page.reload();
  await expect(keep).toBeChecked();
  await expectAccessibleInBothSchemes(page);
  await page.goto('/school/changes');
  await expect(page.getByText('Chose to keep dates of birth and UPNs')).toBeVisible();
  await expect(page.getByText('Shortened the period of Reading sessions to 1 year')).toBeVisible();
});

/** The names of controls that change data. A user can always add a second factor to their own account. */
const CHANGES =
  /\b(add(?! one now)|allow|assign|change|delete|demote|disable|edit|enable|erase|extend|move|promote|remove|rename|reset|restore|save|turn on|undo|update|upload|year end|new login card|set up|start|choose|upgrade)\b|^choose a file|manage books/i;

/** Expects that a screen has controls which change data, or none, also in its menus. */
async function expectChanges(page: Page, path: string, hasChanges: boolean): Promise<void> {
  await page.goto(path);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible();
  // Items of closed menus are in the document too.
  const controls = main.locator('button, a, input, summary');
  const names = await controls.evaluateAll((all) =>
    all.map(
      (control) =>
        control.getAttribute('aria-label') ??
        (control.textContent || (control as HTMLInputElement).labels?.[0]?.textContent) ??
        '',
    ),
  );
  const changes = names.filter((name) => CHANGES.test(name));
  if (hasChanges) expect(changes, path).not.toEqual([]);
  else expect(changes, path).toEqual([]);
}

test('a school is closed, confirmed by a second admin, read-only, and reopened', async ({ logIn, browser, portal }) => {
  const { id, admin, token, teacher, classes, pupils } = await buildSchool(portal, {
    teacher: ['Bea', 'Bell'],
    classes: { 'Year 3 Otters': ['Dilys Marsh', 'Tilly Marsh'] },
  });
  const { enterprise } = await callApi<ReplyOf<typeof schoolCalls.getSchool>>(
    portal,
    'GET',
    `/enterprises/${id}`,
    undefined,
    token,
  );
  const bea = enterprise.users.find(({ email }) => email === teacher);
  await callApi(portal, 'POST', `/enterprises/${id}/users/${bea?.id}/setadmin`, { admin: true }, token);
  const page = await logIn(admin);
  const [classId, pupilId] = [classes.get('Year 3 Otters'), pupils.get('Dilys Marsh')];
  const screens = [
    '/',
    '/pupils',
    `/pupils/${pupilId}`,
    `/pupils/${pupilId}/books`,
    '/pupils/archive',
    '/classes',
    `/classes/${classId}`,
    '/teachers',
    '/school',
    '/school/records',
    '/subscription',
  ];
  for (const path of ['/pupils', `/classes/${classId}`, '/school']) await expectChanges(page, path, true);
  await page.goto('/school/data');
  await page.getByRole('button', { name: 'Close the school' }).click();
  await page.getByRole('button', { name: 'Ask to close' }).click();
  await expect(page.getByRole('button', { name: 'Withdraw the request' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Closing' })).toContainText('Your school closes on');
  await expect(page.getByRole('button', { name: 'Confirm closing' })).toHaveCount(0);

  const colleague = await openBrowser(browser, portal);
  await fillLogin(colleague, teacher);
  await colleague.goto('/school/data');
  await colleague.getByRole('button', { name: 'Confirm closing' }).click();
  await colleague.getByRole('button', { name: 'Close the school now' }).click();
  await expect(colleague.getByRole('complementary', { name: 'Closing' })).toContainText('Your school is closed');
  await expectAccessibleInBothSchemes(colleague);

  for (const path of screens) await expectChanges(page, path, false);
  await page.goto('/pupils');
  await expect(page.getByRole('link', { name: 'Dilys Marsh' })).toBeVisible();
  for (const path of ['/school/add-readers', '/pupils/logins']) {
    await page.goto(path);
    await expect(page).toHaveURL(`${portal.url}/`);
  }

  await page.goto('/school/data');
  await page.getByRole('button', { name: 'Reopen the school' }).click();
  await expect(page.getByRole('button', { name: 'Close the school' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Closing' })).toHaveCount(0);
  await colleague.context().close();
});

test('an admin sees on a pupil’s page that a teacher looked at it', async ({ logIn, browser, portal }) => {
  const { id, token, admin, teacher, pupils } = await buildSchool(portal, {
    teacher: ['Bea', 'Bell'],
    classes: { 'Year 3 Otters': ['Dilys Marsh', 'Tilly Marsh'] },
  });
  const [seenPath, otherPath] = ['Dilys Marsh', 'Tilly Marsh'].map((name) => `/pupils/${pupils.get(name)}`);
  const colleague = await openBrowser(browser, portal);
  await fillLogin(colleague, teacher);
  await colleague.goto(seenPath!);
  await expect(colleague.getByRole('heading', { level: 1, name: 'Dilys Marsh' })).toBeVisible();
  await expect(colleague.getByRole('heading', { name: 'Who looked' })).toHaveCount(0);

  // The portal stores views a few seconds later.
  const listViews = async () => {
    const path = `/enterprises/${id}/readers/${pupils.get('Dilys Marsh')}/views`;
    return (await callApi<ReplyOf<typeof recordViewCalls.listRecordViews>>(portal, 'GET', path, undefined, token))
      .views;
  };
  await expect.poll(listViews).toContainEqual(expect.objectContaining({ screen: 'pupil' }));
  const page = await logIn(admin, seenPath);
  const rows = page.getByRole('table', { name: 'Who looked' }).getByRole('row').filter({ hasText: 'Bea Bell' });
  await page.getByRole('button', { name: 'Show who looked' }).click();
  // One view of the page, with all its calls.
  await expect(rows.filter({ hasText: 'Opened the pupil’s page' })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'Opened the pupil’s page' })).toContainText(/ at \d\d:\d\d/);
  await expectAccessibleInBothSchemes(page);
  await page.goto(otherPath!);
  await page.getByRole('button', { name: 'Show who looked' }).click();
  // The table lists the admin, once that view is stored.
  const table = page.getByRole('table', { name: 'Who looked' });
  await expect(page.getByText('No one has looked at this pupil').or(table)).toBeVisible();
  await expect(rows).toHaveCount(0);
  await colleague.context().close();
});

test('the only admin makes a colleague an admin, and then deletes their own account', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal, { teacher: ['Bea', 'Bell'] });
  const page = await logIn(admin, '/account');
  const dialog = page.getByRole('dialog');
  const eraseAccount = async (text: string) => {
    await page.goto('/account');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await dialog.getByLabel('Your email address').fill(text);
    await dialog.getByRole('button', { name: 'Delete for ever' }).click();
  };
  await eraseAccount('someone@else.example');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expectPartAccessible(page, 'dialog[open]');
  await eraseAccount(admin);
  await expect(dialog.getByRole('alert')).toContainText('admin');

  await page.goto('/teachers');
  await chooseFrom(page, 'Actions for Bea Bell', 'Promote Bea Bell');
  await dialog.getByRole('button', { name: 'Promote' }).click();
  await expect(
    page.getByRole('table', { name: 'Teachers' }).getByRole('row').filter({ hasText: 'Bea Bell' }),
  ).toContainText('Admin');
  await eraseAccount(admin);
  await expect(page).toHaveURL(/\/login/);
  await submitLogin(page, admin);
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
});
