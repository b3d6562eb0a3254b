import type { Route } from '@playwright/test';
import { callApi, expect, expectAccessible, expectListening, people, test, tokenOf } from './portal.ts';
import { goTo } from './slow-line.ts';

test('an unknown URL shows a message, inside the shell to a user and without it to a guest', async ({
  page,
  logIn,
}) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Classes' })).toHaveCount(0);
  await logIn(people.admin, '/account');
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expect(page.getByRole('banner').getByText('ADMIN')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Classes' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to main page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('hovering over a link prefetches its screen, so a click loads nothing more', async ({ logIn }) => {
  const page = await logIn(people.admin, '/pupils');
  const fetched = page.waitForResponse(/\/v1\/enterprises\/\d+\/invites/);
  await page.getByRole('link', { name: 'Teachers' }).hover();
  await fetched;
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/v1/') && calls.push(request.url()));
  await page.getByRole('link', { name: 'Teachers' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Teachers' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Teachers' }).getByRole('row').nth(1)).toBeVisible();
  expect(calls).toEqual([]);
});

test('resting on a link to pupils or touching it fetches nothing that counts as a view', async ({ logIn }) => {
  const page = await logIn(people.admin, '/teachers');
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/v1/') && calls.push(request.url()));
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pupils' });
  const script = page.waitForResponse(/\/assets\/PupilsPage/);
  await link.hover();
  await script;
  // The finger leaves the link without a click, as when it begins to scroll.
  await link.dispatchEvent('pointerdown', { button: 0, pointerType: 'touch' });
  await link.dispatchEvent('pointercancel');
  const opened = page.waitForRequest(/\/v1\/enterprises\/\d+\/readers\?/);
  expect(calls.filter((url) => /\/(readers|tags|needs|charts|reading)\b/.test(url))).toEqual([]);
  await link.click();
  await opened;
  await expect(page.getByRole('heading', { level: 1, name: 'Pupils' })).toBeVisible();
});

test('a teacher first sees the pupils of their own class, and all pupils with one click', async ({ logIn }) => {
  const page = await logIn(people.teacher);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pupils' }).click();
  await expect(page).toHaveURL(/\/pupils$/);
  const shown = page.locator('summary').filter({ hasText: 'Classes shown' });
  const classes = page.getByRole('table', { name: 'Pupils' }).getByRole('link', { name: /^Year / });
  const own = 'The pupils of your class Year 4 Kingfishers.';
  // Also when the URL is typed, rendered by the server.
  for (const go of [async () => {}, async () => void (await page.reload())]) {
    await go();
    await expect(page.getByText(own)).toBeVisible();
    await expect(shown).toHaveText('Classes shown: Year 4 Kingfishers');
    await expect(classes.filter({ hasText: 'Year 4 Kingfishers' })).toHaveCount(31);
    await expect(classes).toHaveCount(31);
  }
  await page.getByRole('link', { name: 'Show all pupils' }).click();
  await expect(shown).toHaveText('Classes shown: All classes');
  await expect(page.getByText(own)).toBeHidden();
  await expect(classes.filter({ hasText: 'Year 2 Hedgehogs' })).not.toHaveCount(0);

  // One more click searches pupils outside the class.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pupils' }).click();
  await expect(page.getByText(own)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search by name or username' }).fill('pritchard');
  await page.getByRole('link', { name: 'Search all pupils' }).click();
  await expect(page.getByRole('table', { name: 'Pupils' }).getByRole('link', { name: /Pritchard/ })).not.toHaveCount(0);
});

test('the palette lists the teacher’s own class, its pupils and its books first', async ({ logIn }) => {
  const page = await logIn(people.teacher, '/account');
  await expectListening(page);
  await page.keyboard.press('Control+k');
  const found = page.getByRole('listbox', { name: 'Found' });
  const field = page.getByRole('combobox', { name: 'Pupil, class, colleague, book or screen' });
  await field.fill('year');
  await expect(found.getByRole('group', { name: 'Classes' }).getByRole('option').first()).toHaveText(
    /Year 4 Kingfishers/,
  );
  await field.fill('a');
  const pupils = found.getByRole('group', { name: 'Pupils' }).getByRole('option');
  await expect(pupils).toHaveCount(11);
  for (const index of [0, 5, 9]) await expect(pupils.nth(index)).toContainText('Year 4 Kingfishers');
  await field.fill('books');
  const books = found.getByRole('option', { name: /Books of Year 4 Kingfishers/ });
  await books.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Books of Year 4 Kingfishers' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await field.fill('a');
  await found.getByRole('option', { name: /All pupils with “a”/ }).click();
  await expect(page).toHaveURL(/\/pupils\?search=a&groups=all$/);
});

test('the palette replaces its results in one step', async ({ logIn }) => {
  const page = await logIn(people.teacher, '/account');
  await expectListening(page);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Pupil, class, colleague, book or screen' });
  await field.fill('books');
  await expect(page.getByRole('option', { name: /Books of Year 4 Kingfishers/ })).toBeVisible();

  const pausedRoutes: Route[] = [];
  await page.route('**/readers?*search=year*', (route) => void pausedRoutes.push(route));
  await field.fill('year');
  // For the school and for the teacher's own classes.
  await expect.poll(() => pausedRoutes.length).toBe(2);
  await expect(page.getByRole('group', { name: 'Classes' })).toHaveCount(0);
  for (const route of pausedRoutes) await route.continue();
  await expect(page.getByRole('group', { name: 'Classes' }).getByRole('option').first()).toBeVisible();
});

test('the URL of a pupil in another class redirects to the pupil’s class', async ({ logIn, portal }) => {
  const token = await tokenOf(portal, people.admin);
  const { user } = await callApi<{ user: { enterprise_id: number } }>(portal, 'GET', '/users/me', undefined, token);
  const { readers } = await callApi<{ readers: { id: number; group: { id: number } | null }[] }>(
    portal,
    'GET',
    `/enterprises/${user.enterprise_id}/readers?per_page=200`,
    undefined,
    token,
  );
  const pupil = readers.find(({ group }) => group !== null);
  const pupilElsewhere = readers.find(({ group }) => group !== null && group.id !== pupil?.group?.id);
  const page = await logIn(people.admin, `/classes/${pupilElsewhere?.group?.id}/pupils/${pupil?.id}`);
  await expect(page).toHaveURL(new RegExp(`/classes/${pupil?.group?.id}/pupils/${pupil?.id}$`));
});

test('fifty navigations by links, Back and Forward leave no listeners and nodes behind', async ({ logIn }) => {
  const page = await logIn(people.admin);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Performance.enable');
  const title = (name: string | RegExp) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const sessions = page.getByRole('heading', { name: 'Reading sessions' });
  const follow = async (name: string) => {
    await goTo(page, name);
    await title(name);
  };
  /** Ten navigations. */
  const navigate = async () => {
    await follow('Dashboard');
    await follow('Classes');
    await page.getByRole('link', { name: 'Year 4 Kingfishers', exact: true }).click();
    await title('Year 4 Kingfishers');
    await page.getByRole('main').locator('a[href$="/books"]').first().click();
    await title(/^Books of/);
    await follow('Pupils');
    await page.getByRole('table', { name: 'Pupils' }).locator('tbody').getByRole('link').first().click();
    await expect(sessions).toBeVisible();
    await page.goBack();
    await title('Pupils');
    await page.goForward();
    await expect(sessions).toBeVisible();
    await follow('School');
    await goTo(page, 'My details');
    await title('Edit Details');
  };
  const measure = async () => {
    // A second time for what the first one released, once the page is idle.
    for (let time = 0; time < 2; time++) {
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
      await browser.send('HeapProfiler.collectGarbage');
    }
    const { metrics } = await browser.send('Performance.getMetrics');
    const valueOf = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value;
    return { listeners: valueOf('JSEventListeners'), nodes: valueOf('Nodes') };
  };
  await navigate();
  const first = await measure();
  await navigate();
  const second = await measure();
  // One of them may still count a page that the browser has not cleared away.
  const before = {
    listeners: Math.min(first.listeners, second.listeners),
    nodes: Math.min(first.nodes, second.nodes),
  };
  const documents: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()));
  for (let round = 0; round < 3; round++) await navigate();
  expect(documents).toEqual([]);
  // What leaks with each navigation would be thirty.
  await expect.poll(async () => (await measure()).listeners - before.listeners).toBeLessThan(15);
  await expect.poll(async () => (await measure()).nodes - before.nodes).toBeLessThan(15);
});
