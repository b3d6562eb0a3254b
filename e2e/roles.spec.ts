import type { Browser, Page } from '@playwright/test';
import type { Role } from '#contract/permissions.ts';
import { callApi, expect, expectAccessible, expectLoaded, fillLogin, mailedLink, PASSWORD, test } from './portal.ts';
import { buildSchool, type School, sendReading } from './school.ts';
import type { Portal } from './server.ts';

const CLASS = 'Year 3 Otters';
const PUPIL = 'Tilly Marsh';
const OTHER_CLASS = 'Year 4 Owls';
const OTHER_PUPIL = 'Cleo Hart';
const BOOK = 'The Wet Pup';
const BOOK_ID = 101;

const DEVICES = [
  ['a computer', { viewport: { width: 1280, height: 800 } }],
  ['a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const;
type Device = (typeof DEVICES)[number][1];

/** A school with two classes and a pupil in each. One pupil has read, and has a note. */
async function buildReadingSchool(portal: Portal): Promise<School> {
  const school = await buildSchool(portal, { classes: { [CLASS]: [PUPIL], [OTHER_CLASS]: [OTHER_PUPIL] } });
  const classPath = `/enterprises/${school.id}/groups/${school.classes.get(CLASS)}`;
  await callApi(portal, 'POST', `${classPath}/books/${BOOK_ID}`, undefined, school.token);
  await sendReading(portal, school, PUPIL, { book_id: BOOK_ID });
  await callApi(portal, 'DELETE', `${classPath}/books/${BOOK_ID}`, undefined, school.token);
  const notes = `/enterprises/${school.id}/readers/${school.pupils.get(PUPIL)}/notes`;
  await callApi(portal, 'POST', notes, { text: 'Likes otters' }, school.token);
  return school;
}

/** A member of staff who has accepted an invitation in a role, with classes. Returns the address. */
async function addInRole(
  portal: Portal,
  { id, token, admin }: School,
  [first_name, last_name]: readonly [string, string],
  role: Role,
  classIds: readonly number[] = [],
): Promise<string> {
  const email = admin.replace('head@', `${first_name.toLowerCase()}@`);
  const account = { first_name, last_name, email, password: PASSWORD };
  const { meta } = await callApi<{ meta: { token: string } }>(portal, 'POST', '/users', account);
  const sent = { email: [email], name: [`${first_name} ${last_name}`], roles: [role], groups: [classIds] };
  await callApi(portal, 'POST', `/enterprises/${id}/invites`, sent, token);
  const invite = (await mailedLink(portal, email, '/invite/')).split('/').at(-1);
  await callApi(portal, 'POST', `/enterprises/invites/${invite}/accept`, undefined, meta.token);
  return email;
}

/** Runs a journey on a device as a member of staff. Fails if any reply was 403, which would end the session. */
async function workOn(
  browser: Browser,
  { portal, device, email }: { portal: Portal; device: Device; email: string },
  journey: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ baseURL: portal.url, ...device });
  const page = await context.newPage();
  const forbidden: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) forbidden.push(`${response.request().method()} ${response.url()}`);
  });
  await fillLogin(page, email);
  await journey(page);
  await expectLoaded(page);
  expect(forbidden, 'replies with status 403').toEqual([]);
  await expect(page).not.toHaveURL(/\/log(in|out)/);
  await context.close();
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

for (const [name, device] of DEVICES) {
  test(`a teaching assistant opens a class and a pupil, and prints a login card on ${name}`, async ({
    browser,
    portal,
  }) => {
    const school = await buildReadingSchool(portal);
    const classId = school.classes.get(CLASS)!;
    const email = await addInRole(portal, school, ['Ann', 'Price'], 'teaching_assistant', [classId]);
    await workOn(browser, { portal, device, email }, async (page) => {
      await expect(title(page, 'Dashboard')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Accuracy over time' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Who needs me' })).toHaveCount(0);

      await page.goto('/classes');
      await expect(title(page, 'Classes')).toBeVisible();
      await expect(page.getByRole('link', { name: OTHER_CLASS })).toHaveCount(0);
      await page.getByRole('main').getByRole('link', { name: CLASS, exact: true }).click();
      await expect(title(page, CLASS)).toBeVisible();
      await expect(page.getByText('Teaching assistant: Ann Price')).toBeVisible();
      await expect(page.getByText(/^You help in this class\. Only .*an admin can change it\.$/)).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Assigned books' })).toBeVisible();
      await expectLoaded(page);
      await expectAccessible(page);

      await page.getByRole('main').getByRole('link', { name: PUPIL, exact: true }).first().click();
      await expect(title(page, PUPIL)).toBeVisible();
      await expectLoaded(page);
      for (const heading of ['Notes', 'Tags', 'Words to practise'])
        await expect(page.getByRole('heading', { name: heading, exact: true })).toHaveCount(0);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'RESET PASSWORD', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reset password', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: `New login card for ${PUPIL}` });
      await expect(dialog.getByRole('article', { name: `Login card for ${PUPIL}` })).toBeVisible();
      await dialog.getByRole('button', { name: 'Print', exact: true }).click();
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
      await expect(dialog).toBeHidden();

      await page.getByRole('link', { name: 'Books', exact: true }).click();
      await expect(page).toHaveURL(/\/books$/);
      await expect(page.getByText(/books on view$/)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Assign all on view' })).toHaveCount(0);
      await page.goto('/pupils');
      await expect(page.getByRole('link', { name: PUPIL, exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name: OTHER_PUPIL })).toHaveCount(0);
    });
  });

  test(`a reading lead reads a note and assigns a book to another teacher’s class on ${name}`, async ({
    browser,
    portal,
  }) => {
    const school = await buildReadingSchool(portal);
    const ownClassId = school.classes.get(OTHER_CLASS)!;
    const email = await addInRole(portal, school, ['Rae', 'Lund'], 'reading_lead', [ownClassId]);
    await workOn(browser, { portal, device, email }, async (page) => {
      await expect(title(page, 'Dashboard')).toBeVisible();
      await expect(page.getByLabel('Class', { exact: true }).locator('option:checked')).toHaveText('All classes');

      await page.goto('/classes');
      await page.getByRole('main').getByRole('link', { name: CLASS, exact: true }).click();
      await expect(title(page, CLASS)).toBeVisible();
      await expect(page.getByText(/^Only .*an admin can change this class\.$/)).toBeVisible();
      await expect(page.getByRole('link', { name: 'Add Pupils' })).toHaveCount(0);
      await expectLoaded(page);
      await expectAccessible(page);

      await page.getByRole('main').getByRole('link', { name: PUPIL, exact: true }).first().click();
      await expect(title(page, PUPIL)).toBeVisible();
      await expect(page.getByText('Likes otters')).toBeVisible();
      await expect(page.getByRole('button', { name: 'RESET PASSWORD', exact: true })).toHaveCount(0);
      await expectLoaded(page);
      await expectAccessible(page);

      await page.goto(`/classes/${school.classes.get(CLASS)}`);
      await page.getByRole('link', { name: 'Manage books', exact: true }).click();
      await expect(title(page, `Books of ${CLASS}`)).toBeVisible();
      await page.getByLabel('Search for a book').fill(BOOK);
      await expect(page.getByText(/^1 of \d+ books on view/)).toBeVisible();
      await page.getByRole('button', { name: 'Assign all on view' }).click();
      await expect(page.getByText(/^1 of \d+ books on view, all assigned$/)).toBeVisible();
    });
  });
}

test('an admin lets a teaching assistant see one pupil of a class in which they do not help', async ({
  browser,
  portal,
}) => {
  const school = await buildReadingSchool(portal);
  const email = await addInRole(portal, school, ['Sam', 'Reed'], 'teaching_assistant');
  const [, device] = DEVICES[0];
  await workOn(browser, { portal, device, email: school.admin }, async (page) => {
    await page.goto(`/pupils/${school.pupils.get(OTHER_PUPIL)}`);
    await page.getByRole('button', { name: 'Add a teaching assistant' }).click();
    const dialog = page.getByRole('dialog', { name: `Who helps ${OTHER_PUPIL}?` });
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel('Teaching assistant', { exact: true }).selectOption('Sam Reed');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('button', { name: `Remove Sam Reed from ${OTHER_PUPIL}` })).toBeVisible();
  });
  await workOn(browser, { portal, device, email }, async (page) => {
    await page.getByRole('link', { name: 'Go to pupils' }).click();
    await expect(title(page, 'Pupils')).toBeVisible();
    await expect(page.getByRole('link', { name: PUPIL, exact: true })).toBeHidden();
    await page.getByRole('link', { name: OTHER_PUPIL, exact: true }).click();
    await expect(title(page, OTHER_PUPIL)).toBeVisible();
    await expect(page.getByText(OTHER_CLASS, { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('link', { name: OTHER_CLASS, exact: true })).toHaveCount(0);
    await expectAccessible(page);
  });
});
