import { expect, people, submitLogin, test } from './portal.ts';

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
    await page.getByLabel('From').fill('2025-03-03');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(button('Dates:')).toContainText('3 March 2025 to 31 December 2025');
    await page.setViewportSize({ width: 375, height: 800 });
    const chart = page.getByRole('region', { name: 'Reading time by pupil', exact: true });
    await expect(chart.getByRole('link').first()).toBeVisible();
  });
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
  await page.route('**/login', (route) => route.abort());
  await submitLogin(page, people.admin);
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary).toBeFocused();
  await expect(summary).toContainText('Error: Network Error');
  await page.unrouteAll();
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(summary).toContainText('Login failed');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('wrong');
  await submitLogin(page, people.admin);
  await expect(page.getByRole('banner').getByText('ADMIN')).toBeVisible();
});

test('a page whose scripts fail to load lists, sorts and shows the fallbacks', async ({ logIn }) => {
  // A new page, because a running page reloads when one of its scripts fails to load.
  const page = await (await logIn(people.admin, '/account')).context().newPage();
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/pupils');
  await page.getByRole('columnheader', { name: 'Username' }).getByRole('link').click();
  await expect(page.getByRole('columnheader', { name: 'Username' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(page.getByRole('row')).toHaveCount(51);
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
