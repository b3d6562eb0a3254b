import { randomUUID } from 'node:crypto';
import type { Route } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectListening,
  mailedLink,
  people,
  recentDays,
  submitLogin,
  test,
} from './portal.ts';
import { addOperator, takeRecoveryCode } from './school.ts';
import { goTo } from './slow-line.ts';

test('pupils, classes, a class and the dashboard work without JavaScript', async ({ browser, baseURL, logIn }) => {
  const storageState = await (await logIn(people.admin, '/account')).context().storageState();
  const context = await browser.newContext({ baseURL, storageState, javaScriptEnabled: false });
  const page = await context.newPage();
  const rows = page.getByRole('row');
  const cells = (column: number) => page.locator(`tbody td:nth-child(${column})`).allInnerTexts();
  const button = (text: string) => page.locator('summary', { hasText: text });

  await test.step('pupils: all rows, sorting, paging, page size, search, class filter', async () => {
    await page.goto('/pupils');
    await expect(page.getByText('you need JavaScript to make changes')).toBeVisible();
    await expect(rows).toHaveCount(51);
    await page.getByRole('columnheader', { name: 'Username' }).getByRole('link').click();
    await expect(page.getByRole('columnheader', { name: 'Username' })).toHaveAttribute('aria-sort', 'ascending');
    const usernames = await cells(3);
    expect(usernames).toEqual(usernames.toSorted());
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect(page.getByText(/^51 to \d+ of \d+ pupils$/)).toBeVisible();
    await page.getByLabel('Rows per page').selectOption('10');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(page.getByText(/^1 to 10 of \d+ pupils$/)).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Username' })).toHaveAttribute('aria-sort', 'ascending');
    await page.getByLabel('Search by name or username').fill('wisniewski');
    await page.getByLabel('Search by name or username').press('Enter');
    await expect(rows.nth(1)).toContainText('Łukasz Wiśniewski');
    await page.goto('/pupils');
    await button('Classes shown').click();
    await page.getByRole('checkbox', { name: /^Year 4 Kingfishers/ }).check();
    await page.getByRole('checkbox', { name: 'Without a class' }).check();
    await page.getByRole('button', { name: 'Show these classes' }).click();
    await expect(button('2 classes')).toBeVisible();
    await expect(rows.nth(1)).toContainText(/Year 4 Kingfishers|No class|–/);
  });

  await test.step('classes and a class', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Classes' }).click();
    await page.getByRole('link', { name: 'Year 4 Kingfishers', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Year 4 Kingfishers');
    await rows.nth(1).getByRole('link').first().click();
    await expect(page.getByRole('heading', { name: 'Reading sessions' })).toBeVisible();
  });

  await test.step('the dashboard of a class, for other dates', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
    await page.goto(`/?${recentDays()}`);
    await page.getByLabel('Class', { exact: true }).selectOption({ label: 'All classes' });
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(
      page
        .getByRole('slider', { name: /^Accuracy over time/ })
        .locator('polyline')
        .first(),
    ).toBeAttached();
    await button('Dates:').click();
    await page.getByRole('link', { name: 'Last year' }).click();
    await expect(button('Dates:')).toContainText('Last year');
    await button('Dates:').click();
    await page.getByLabel('From', { exact: true }).fill('2025-03-03');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(button('Dates:')).toContainText('3 March 2025 to 31 December 2025');
    await page.setViewportSize({ width: 375, height: 800 });
    const chart = page.getByRole('region', { name: 'Reading time by pupil', exact: true });
    await expect(chart.getByRole('link').first()).toBeVisible();
  });
  await context.close();
});

test('below the width of a tablet the menu button leads to the navigation at the foot, without JavaScript', async ({
  browser,
  baseURL,
  logIn,
}) => {
  const storageState = await (await logIn(people.admin, '/account')).context().storageState();
  const context = await browser.newContext({ baseURL, storageState, javaScriptEnabled: false });
  const page = await context.newPage();
  const menu = page.getByRole('banner').getByRole('link', { name: 'Menu' });
  const school = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'School', exact: true });
  for (const width of [768, 375]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/pupils');
    await expect(school).not.toBeInViewport();
    await expect(menu).toBeVisible();
    await menu.click();
    await expect(school).toBeInViewport();
  }
  await school.click();
  await expect(page.getByRole('heading', { level: 1, name: 'School' })).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(menu).toBeHidden();
  await context.close();
});

test('a login without scripts shows its errors at the fields, and then opens the page that was requested', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/pupils');
  await expect(page).toHaveURL('/login?redirect=%2Fpupils');
  await page.getByLabel('Email').fill(people.admin);
  await page.getByRole('button', { name: 'Log in' }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link', { name: 'Enter a password.' })).toHaveAttribute('href', '#password');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await submitLogin(page, people.admin, 'wrong');
  await expect(summary).toContainText('Login failed');
  await expect(page.getByLabel('Email')).toHaveValue(people.admin);
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeHidden();
  await submitLogin(page, people.admin);
  await expect(page).toHaveURL('/pupils');
  await context.close();
});

test('a login that cannot reach the server says so, keeps what was typed and is sent again', async ({ page }) => {
  await page.goto('/login');
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  for (const answer of [
    (route: Route) => route.abort(),
    (route: Route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<main><h1>Bad gateway</h1></main>' }),
  ]) {
    await page.route('**/login', answer);
    await submitLogin(page, people.admin);
    await expect(summary).toBeFocused();
    await expect(summary).toContainText('Error: Network Error');
    await page.unrouteAll();
    await page.getByLabel('Email').focus();
  }
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(summary).toContainText('Login failed');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('wrong');
  await submitLogin(page, people.admin);
  await expect(page.getByRole('banner').getByText('ADMIN')).toBeVisible();
});

test('a login form that a newer build answers has the styles of that build', async ({ page }) => {
  await page.goto('/login');
  await page.route('**/assets/newer.css', (route) =>
    route.fulfill({ contentType: 'text/css', body: 'form { outline: 1px dashed }' }),
  );
  await page.route('**/login', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/\/assets\/[\w-]+\.css/g, '/assets/newer.css');
    await route.fulfill({ response, body });
  });
  await submitLogin(page, people.admin, 'wrong');
  const form = page.locator('form').filter({ hasText: 'Login failed' });
  await expect(form).toHaveCSS('outline-style', 'dashed');
});

for (const [scripts, files] of [
  ['scripts fail', '**/assets/*.js'],
  ['own script alone fails', '**/assets/PupilsPage-*.js'],
])
  test(`a page whose ${scripts} to load lists, sorts and shows the fallbacks`, async ({ browser, baseURL, logIn }) => {
    // A new page, because a running page reloads when one of its scripts fails to load.
    const storageState = await (await logIn(people.admin, '/account')).context().storageState();
    const context = await browser.newContext({ baseURL, storageState });
    const page = await context.newPage();
    await page.route(files!, (route) => route.abort());
    await page.goto('/pupils');
    await expect(page.getByText('load this page again')).toBeVisible();
    await page.getByRole('columnheader', { name: 'Username' }).getByRole('link').click();
    await expect(page.getByRole('columnheader', { name: 'Username' })).toHaveAttribute('aria-sort', 'ascending');
    await expect(page.getByRole('row')).toHaveCount(51);
    await context.close();
  });

test('a dialog and the command palette whose scripts fail to load say so, and the page works', async ({
  browser,
  baseURL,
  logIn,
}) => {
  const storageState = await (await logIn(people.admin, '/account')).context().storageState();
  const context = await browser.newContext({ baseURL, storageState });
  const page = await context.newPage();
  await page.route(/\/assets\/(CommandPalettePanel|ClassNameDialog)-/, (route) => route.abort());
  await page.goto('/classes');
  await expectListening(page);
  const failure = page.getByRole('dialog').getByRole('alert').filter({ hasText: 'We could not show this.' });
  await page.getByRole('button', { name: 'Find anything' }).click();
  await expect(failure).toBeVisible();
  await expectAccessible(page, { part: 'dialog[open]' });
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Add Class' }).click();
  await expect(page.getByRole('dialog', { name: 'An error occurred' })).toBeVisible();
  await page.keyboard.press('Escape');
  await goTo(page, 'Teachers');
  await expect(page.getByRole('heading', { level: 1, name: 'Teachers' })).toBeVisible();
  await goTo(page, 'Classes');
  await page.getByRole('button', { name: 'Add Class' }).click();
  await page.unrouteAll();
  await failure.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByRole('button', { name: 'Add Class' }).click();
  await expect(page.getByRole('dialog').getByLabel('Name of the class')).toBeVisible();
  await context.close();
});

test('guests’ pages whose script fails to load hide what needs it, and send their forms once', async ({
  browser,
  baseURL,
  portal,
}) => {
  const operator = await addOperator(portal, 'Ada Hill');
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await page.route('**/assets/guest-*.js', (route) => route.abort());
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(1);
  await submitLogin(page, operator, 'wrong');
  await expect(page.getByRole('alert').filter({ hasText: 'Login failed' })).toBeFocused();
  await submitLogin(page, operator);
  await page.getByLabel('Code').fill(takeRecoveryCode(operator));
  await page.getByRole('button').click();
  await expect(page).not.toHaveURL(/\/login/);
  expect(sent.splice(0)).toEqual(['/login', '/login', '/login/second-step']);

  await context.clearCookies();
  const email = `ivy-${randomUUID().slice(0, 8)}@elm-row.example`;
  await page.goto('/register');
  await page.getByLabel('First name').fill('Ivy');
  await page.getByLabel('Last name').fill('Elm');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('lantern under 4 hills');
  await page.getByRole('button').click();
  await expect(page).toHaveURL(/\/subscription\/register$/);

  await context.clearCookies();
  await page.goto('/forgotten');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button').click();
  await expect(page.getByText('An email with your new password has been sent')).toBeVisible();
  await page.goto(await mailedLink(portal, email, '/password/reset'));
  await page.getByLabel('New password', { exact: true }).fill('kettle over 7 hills');
  await page.getByLabel('New password again').fill('kettle over 7 hills');
  await page.getByRole('button').click();
  await expect(page.getByText('Your password has been changed.')).toBeVisible();
  expect(sent).toEqual(['/register', '/forgotten', '/password/reset']);
  await context.close();
});

test('a form of the app that needs JavaScript says so once to a guest without it', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/register-school');
  await expect(page.getByRole('heading', { level: 1, name: 'Register your school' })).toBeVisible();
  await expect(page.getByText('JavaScript')).toHaveCount(1);
  await expect(page.getByText('JavaScript')).toBeVisible();
  await context.close();
});

test('with scripts no fallback is visible', async ({ logIn }) => {
  const page = await logIn(people.admin, '/pupils');
  await expect(page.getByRole('row')).toHaveCount(51);
  const standIns = page.locator('.without-script');
  expect(await standIns.count()).toBeGreaterThan(2);
  for (const standIn of await standIns.all()) await expect(standIn).toBeHidden();
});

test('a browser below the oldest supported one shows what to do, and its links and forms work', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  await page.addInitScript(() => Object.defineProperty(navigator, 'userActivation', { value: undefined }));
  const sentence = page.getByRole('alert').filter({ hasText: 'This browser is too old for this portal' });
  await page.goto('/pupils');
  await expect(sentence).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search by name or username' });
  await search.fill('wisniewski');
  await search.press('Enter');
  await expect(page).toHaveURL(/search=wisniewski/);
  await expect(sentence).toBeVisible();
  await page
    .getByRole('table')
    .getByRole('link', { name: /Wiśniewski/ })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Łukasz Wiśniewski');
  await expect(sentence).toBeVisible();
});
