import type { Route } from '@playwright/test';
import { callApi, expect, expectAccessible, expectListening, people, test, tokenOf } from './portal.ts';

test('pages of the first level have a breadcrumb, and an unknown address is said inside the shell', async ({
  logIn,
}) => {
  const page = await logIn(people.admin, '/teachers');
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
  await expect(crumbs.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/');
  await expect(crumbs.getByText('Teachers')).toHaveAttribute('aria-current', 'page');

  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expect(page.getByRole('banner').getByText('ADMIN')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Classes' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to main page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('a screen is fetched as the mouse rests on its link, and a click needs nothing more', async ({ logIn }) => {
  const page = await logIn(people.admin, '/teachers');
  const fetched = page.waitForResponse(/\/v1\/enterprises\/\d+\/readers\?/);
  await page.getByRole('link', { name: 'Pupils' }).hover();
  await fetched;
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/v1/') && calls.push(request.url()));
  await page.getByRole('link', { name: 'Pupils' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pupils' })).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(51);
  expect(calls).toEqual([]);
});

test('a teacher sees the pupils of the own class first, and all of them by one press', async ({ logIn }) => {
  const page = await logIn(people.teacher);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pupils' }).click();
  await expect(page).toHaveURL(/\/pupils$/);
  const shown = page.locator('summary').filter({ hasText: 'Classes shown' });
  const classes = page.getByRole('table', { name: 'Pupils' }).getByRole('link', { name: /^Year / });
  const own = 'The pupils of your class Year 4 Kingfishers.';
  // Typed, too: as the server draws it.
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

  // Whoever is not in the class is found by another press.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pupils' }).click();
  await expect(page.getByText(own)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search by name or username' }).fill('pritchard');
  await page.getByRole('link', { name: 'Search all pupils' }).click();
  await expect(page.getByRole('table', { name: 'Pupils' }).getByRole('link', { name: /Pritchard/ })).not.toHaveCount(0);
});

test('the finder names the own class, its pupils and its books first', async ({ logIn }) => {
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

test('the palette shows what it finds for new words in one step', async ({ logIn }) => {
  const page = await logIn(people.teacher, '/account');
  await expectListening(page);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Pupil, class, colleague, book or screen' });
  await field.fill('books');
  await expect(page.getByRole('option', { name: /Books of Year 4 Kingfishers/ })).toBeVisible();

  const held: Route[] = [];
  await page.route('**/readers?*search=year*', (route) => void held.push(route));
  await field.fill('year');
  // Of the school, and of the own classes.
  await expect.poll(() => held.length).toBe(2);
  await expect(page.getByRole('group', { name: 'Classes' })).toHaveCount(0);
  for (const route of held) await route.continue();
  await expect(page.getByRole('group', { name: 'Classes' }).getByRole('option').first()).toBeVisible();
});

test('a guest finds no shell around an unknown address', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Classes' })).toHaveCount(0);
});

test('whoever manages the subscription is told of its end and of an unpaid invoice, a teacher is not', async ({
  logIn,
  logInByForm,
  context,
}) => {
  const ending = { is_nearing_end: true, num_of_days_before_end: 1 };
  const invoice = { due_date: '2026-12-02' };
  let open: object | null = null;
  await context.route(/\/v1\/enterprises\/\d+(\?include=invoices)?$/, async (route) => {
    const response = await route.fetch();
    const { enterprise } = (await response.json()) as { enterprise?: Record<string, Record<string, unknown>> };
    if (enterprise?.subscription) Object.assign(enterprise.subscription, { meta: ending });
    if (enterprise?.invoices) Object.assign(enterprise.invoices.meta as object, { open_invoice: open });
    await (enterprise ? route.fulfill({ response, json: { enterprise } }) : route.fulfill({ response }));
  });
  await context.route(/\/v1\/enterprises\/\d+\/subscriptions\/packages$/, async (route) => {
    const response = await route.fetch();
    const { packages } = (await response.json()) as {
      packages: { has_subscription: boolean; meta: { is_extending: boolean } }[];
    };
    for (const { has_subscription, meta } of packages) meta.is_extending = has_subscription;
    await route.fulfill({ response, json: { packages } });
  });
  // By the form: what the screens show then comes from the answers above, and not drawn from the server.
  const page = await logInByForm(people.admin);
  const banner = page.getByRole('complementary', { name: 'Subscription' });
  await expect(banner).toContainText('Your subscription ends tomorrow');
  await expect(banner.getByRole('link', { name: 'Extend' })).toHaveAttribute(
    'href',
    /^\/fill-billing-details\?package=\d+$/,
  );
  await expectAccessible(page);
  open = invoice;
  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login/);
  await logInByForm(people.admin);
  await expect(banner).toContainText('You have an unpaid invoice due by 2 December 2026');

  await logIn(people.teacher, '/classes');
  await expect(page.getByRole('heading', { level: 1, name: 'Classes' })).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test('a pupil under the address of another class is shown under the own one', async ({ logIn, portal }) => {
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
  const other = readers.find(({ group }) => group !== null && group.id !== pupil?.group?.id);
  const page = await logIn(people.admin, `/classes/${other?.group?.id}/pupils/${pupil?.id}`);
  await expect(page).toHaveURL(new RegExp(`/classes/${pupil?.group?.id}/pupils/${pupil?.id}$`));
});

test('the steps around a subscription say only what is true for who looks', async ({ page, logIn }) => {
  await page.goto('/subscription/register');
  await expect(page.getByRole('heading', { level: 1, name: 'Start a subscription' })).toBeVisible();
  await page.goto('/subscription/warning');
  await expect(page.getByRole('heading', { level: 1, name: 'For schools only' })).toBeVisible();
  await logIn(people.admin, '/subscription/warning');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await page.goto('/confirm/details');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});
