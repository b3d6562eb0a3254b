import type { Page } from '@playwright/test';
import {
  callApi,
  chooseFrom,
  expect,
  expectListening,
  fillLogin,
  people,
  recentDays,
  test,
  tickBox,
} from './portal.ts';
import { LIST, openNewSchool, openPupils, pupilLink } from './pupil-list.ts';
import { buildSchool, type School } from './school.ts';
import { expectLoading, goTo, holdCalls } from './slow-line.ts';

const OTTERS = ['Amara Nwachukwu', 'Ben Crane', 'Cleo Wren'];
const plan = { classes: { 'Year 3 Otters': OTTERS, 'Year 4 Kingfishers': ['Dev Heron'] } };

const pupilPath = ({ pupils }: School, name: string) => `/pupils/${pupils.get(name)}`;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const dialogButton = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name });

test('a renamed pupil never has the old name in the list, which waits for a slow reply', async ({ logIn, portal }) => {
  const { page } = await openNewSchool({ logIn, portal }, plan);
  await pupilLink(page, 'Amara Nwachukwu').click();
  await page.getByRole('button', { name: 'UPDATE PUPIL NAME' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Amara Okafor');
  await dialogButton(page, 'Save').click();
  await expect(page.getByText('Details saved')).toBeVisible();
  const list = await holdCalls(page, 'GET', LIST);
  await goTo(page, 'Pupils');
  await list.sent();
  await expectLoading(page);
  await expect(pupilLink(page, 'Amara Nwachukwu')).toHaveCount(0);
  list.release();
  await expect(pupilLink(page, 'Amara Okafor')).toBeVisible();
  await expect(pupilLink(page, 'Amara Nwachukwu')).toHaveCount(0);
});

test('the number of pupils on the list of classes is right after a pupil has moved, also on a slow line', async ({
  logIn,
  portal,
}) => {
  const { admin, classes } = await buildSchool(portal, plan);
  const page = await logIn(admin, '/classes');
  await page.getByRole('link', { name: 'Year 3 Otters', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/classes/${classes.get('Year 3 Otters')}$`));
  const school = await holdCalls(page, 'GET', /\/enterprises\/\d+$/);
  await chooseFrom(page, 'Actions for Ben Crane', 'Remove from class: Ben Crane');
  await expect(page.getByText('The pupil has been removed from the class')).toBeVisible();
  await goTo(page, 'Classes');
  await school.sent();
  await expectLoading(page);
  await expect(heading(page, 'Classes')).toHaveCount(0);
  school.release();
  await expect(page.getByRole('row', { name: /Year 3 Otters/ })).toContainText('2');
});

test('Back and Forward after a deletion never show the deleted pupil, also on a slow line', async ({
  logIn,
  portal,
}) => {
  const { page } = await openNewSchool({ logIn, portal }, plan);
  await pupilLink(page, 'Ben Crane').click();
  await expect(heading(page, 'Ben Crane')).toBeVisible();
  await page.goBack();
  await chooseFrom(page, 'Actions for Ben Crane', 'Delete Ben Crane');
  await dialogButton(page, 'Delete pupil').click();
  await expect(page.getByText('Ben Crane has been deleted')).toBeVisible();
  const pupil = await holdCalls(page, 'GET', /\/readers\/\d+/);
  await page.goForward();
  await pupil.sent();
  await expect(heading(page, 'Ben Crane')).toHaveCount(0);
  pupil.release();
  await expect(heading(page, 'Pupil not found')).toBeVisible();
  await page.goBack();
  await expect(pupilLink(page, 'Ben Crane')).toHaveCount(0);
  await expect(pupilLink(page, 'Cleo Wren')).toBeVisible();
});

test('Undo on another page brings a deleted pupil back to the list, which waits for the slow reply', async ({
  logIn,
  portal,
}) => {
  const { page } = await openNewSchool({ logIn, portal }, plan);
  await chooseFrom(page, 'Actions for Ben Crane', 'Delete Ben Crane');
  await dialogButton(page, 'Delete pupil').click();
  await expect(pupilLink(page, 'Ben Crane')).toHaveCount(0);
  await goTo(page, 'Classes');
  await expect(heading(page, 'Classes')).toBeVisible();
  const restored = page.waitForResponse((response) => response.url().endsWith('/restore') && response.ok());
  await page.getByRole('button', { name: 'Undo' }).click();
  await restored;
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  const list = await holdCalls(page, 'GET', LIST);
  await goTo(page, 'Pupils');
  await list.sent();
  await expectLoading(page);
  await expect(heading(page, 'Pupils')).toHaveCount(0);
  list.release();
  await expect(pupilLink(page, 'Ben Crane')).toBeVisible();
});

test('of two quick searches the list shows the second, although the reply to the first comes last', async ({
  logIn,
  portal,
}) => {
  const { page } = await openNewSchool({ logIn, portal }, plan);
  let firstSearch = 'Ben';
  const { promise, resolve } = Promise.withResolvers<void>();
  const answered: string[] = [];
  await page.route(
    ({ pathname }) => LIST.test(pathname),
    async (route) => {
      const search = new URL(route.request().url()).searchParams.get('search') ?? '';
      if (search === firstSearch) await promise;
      await route.continue().catch(() => undefined);
      answered.push(search);
    },
  );
  const search = page.getByRole('searchbox', { name: 'Search by name or username' });
  await search.fill('Ben');
  await expect(page).toHaveURL(/search=Ben/);
  await search.fill('Cleo');
  await expect(pupilLink(page, 'Cleo Wren')).toBeVisible();
  await expect(pupilLink(page, 'Ben Crane')).toHaveCount(0);
  resolve();
  await expect.poll(() => answered).toContain('Ben');
  firstSearch = '';
  await expect(page.getByRole('table', { name: 'Pupils' }).getByRole('row')).toHaveCount(2);
  await expect(pupilLink(page, 'Cleo Wren')).toBeVisible();
  await expect(pupilLink(page, 'Ben Crane')).toHaveCount(0);
});

test('the comparison of the previous dates is grey until that of the new dates has loaded', async ({ logIn }) => {
  const page = await logIn(people.admin, `/?${recentDays()}`);
  await expectListening(page);
  const note = page.locator('[aria-busy]').filter({ hasText: /^Compared with / });
  await expect(note).toBeVisible();
  const before = await note.innerText();
  const comparison = await holdCalls(page, 'GET', /\/charts\/comparison$/);
  const dates = page.locator('summary').filter({ hasText: 'Dates:' });
  await dates.click();
  await page.getByRole('link', { name: 'Last half-term', exact: true }).click();
  await comparison.sent();
  await expect(note).toHaveAttribute('aria-busy', 'true');
  await expect(note).toHaveAttribute('data-stale', 'true');
  comparison.release();
  await expect(note).toHaveAttribute('aria-busy', 'false');
  await expect(note).not.toHaveText(before);
});

test('pupils whom a search hides stay selected and are counted, and an action is for them too', async ({
  logIn,
  portal,
}) => {
  const { page } = await openNewSchool({ logIn, portal }, plan);
  await tickBox(page.getByRole('checkbox', { name: 'Select Amara Nwachukwu' }));
  await tickBox(page.getByRole('checkbox', { name: 'Select Ben Crane' }));
  const search = page.getByRole('searchbox', { name: 'Search by name or username' });
  await search.fill('Amara');
  await expect(page.getByText('2 selected, 1 shown')).toBeVisible();
  await page.getByRole('button', { name: 'Change Class' }).click();
  await page.getByRole('dialog').getByLabel('New class').selectOption({ label: 'Year 4 Kingfishers (1 pupil)' });
  await dialogButton(page, 'Change class').click();
  await expect(page.getByText('2 pupils moved to Year 4 Kingfishers')).toBeVisible();
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await search.fill('');
  const classOf = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(classOf('Ben Crane')).toContainText('Year 4 Kingfishers');
  await expect(classOf('Cleo Wren')).toContainText('Year 3 Otters');
});

test('an action on selected pupils names the one who was deleted in a second tab, and is done for the others', async ({
  logIn,
  portal,
  context,
}) => {
  const { page } = await openNewSchool({ logIn, portal }, plan);
  for (const name of OTTERS) await tickBox(page.getByRole('checkbox', { name: `Select ${name}` }));
  const tab = await context.newPage();
  await openPupils(tab);
  await chooseFrom(tab, 'Actions for Amara Nwachukwu', 'Delete Amara Nwachukwu');
  await dialogButton(tab, 'Delete pupil').click();
  await expect(tab.getByText('Amara Nwachukwu has been deleted')).toBeVisible();

  await page.getByRole('button', { name: 'Change Class' }).click();
  await page.getByRole('dialog').getByLabel('New class').selectOption({ label: 'Year 4 Kingfishers (1 pupil)' });
  await dialogButton(page, 'Change class').click();
  await expect(page.getByText('Amara Nwachukwu is no longer in the school')).toBeVisible();
  await expect(page.getByText('2 pupils moved to Year 4 Kingfishers')).toBeVisible();
  await expect(pupilLink(page, 'Amara Nwachukwu')).toHaveCount(0);
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
});

test('a pupil who is deleted from their row leaves the selection, and the next action is for the others', async ({
  logIn,
  portal,
}) => {
  const { page } = await openNewSchool({ logIn, portal }, plan);
  for (const name of OTTERS) await tickBox(page.getByRole('checkbox', { name: `Select ${name}` }));
  await chooseFrom(page, 'Actions for Ben Crane', 'Delete Ben Crane');
  await dialogButton(page, 'Delete pupil').click();
  await expect(page.getByText('2 of 3 selected')).toBeVisible();
  await chooseFrom(page, 'More actions for the selected pupils', 'Delete');
  await dialogButton(page, 'Delete 2 pupils').click();
  await expect(page.getByText('2 pupils have been deleted')).toBeVisible();
  await expect(pupilLink(page, 'Dev Heron')).toBeVisible();
});

test('a page that the browser restores shows what has changed since', async ({ logIn, portal }) => {
  const { page, school } = await openNewSchool({ logIn, portal }, plan);
  await page.goto('about:blank');
  const path = `/enterprises/${school.id}${pupilPath(school, 'Ben Crane').replace('pupils', 'readers')}`;
  await callApi(portal, 'POST', path, { name: 'Benedict Crane' }, school.token);
  await page.goBack();
  await expect(pupilLink(page, 'Benedict Crane')).toBeVisible();
  await expect(pupilLink(page, 'Ben Crane')).toHaveCount(0);
});

test('pupils of a slow import are on the list in its tab, and in another tab as soon as it loads', async ({
  logIn,
  portal,
  context,
}) => {
  const { page } = await openNewSchool({ logIn, portal }, plan);
  const tab = await context.newPage();
  await openPupils(tab);
  await page.getByRole('link', { name: 'Add Pupils' }).click();
  await page.getByLabel('Name of pupil 1', { exact: true }).fill('Elin Rook');
  await page.getByRole('button', { name: 'Check the names' }).click();
  const creation = await holdCalls(page, 'POST', LIST);
  await page.getByRole('button', { name: 'Add 1 pupil', exact: true }).click();
  await creation.sent();
  await tab.reload();
  await expect(pupilLink(tab, 'Amara Nwachukwu')).toBeVisible();
  await expect(pupilLink(tab, 'Elin Rook')).toHaveCount(0);
  creation.release();
  const dialog = page.getByRole('dialog', { name: 'New logins' });
  await dialog.getByRole('checkbox', { name: 'I have downloaded the files' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/pupils$/);
  await expect(pupilLink(page, 'Elin Rook')).toBeVisible();
  await tab.reload();
  await expect(pupilLink(tab, 'Elin Rook')).toBeVisible();
});

test('a mouse that rests on a pupil and a touch that begins a scroll leave no entry in who looked', async ({
  page,
  portal,
}) => {
  const school = await buildSchool(portal, plan);
  await fillLogin(page, school.admin);
  for (const [name, event, pointerType] of [
    ['Amara Nwachukwu', 'pointerover', 'mouse'],
    ['Ben Crane', 'pointerdown', 'touch'],
  ] as const) {
    await openPupils(page);
    // What is not recorded has been requested before the click.
    const preloaded = page.waitForRequest('**/term-dates');
    await pupilLink(page, name).dispatchEvent(event, { pointerType, button: 0, bubbles: true });
    await preloaded;
  }
  await pupilLink(page, 'Cleo Wren').click();
  await expect(heading(page, 'Cleo Wren')).toBeVisible();
  const listScreens = async (name: string) => {
    const path = `/enterprises/${school.id}/readers/${school.pupils.get(name)}/views`;
    const { views } = await callApi<{ views: { screen: string }[] }>(portal, 'GET', path, undefined, school.token);
    return views.map(({ screen }) => screen);
  };
  // Views are stored in order: those of the others would be there too.
  await expect.poll(() => listScreens('Cleo Wren')).toContain('pupil');
  for (const name of ['Amara Nwachukwu', 'Ben Crane']) expect(await listScreens(name)).not.toContain('pupil');
});
