import type { BrowserContext, Page, Route } from '@playwright/test';
import {
  expect,
  expectAccessibleInBothSchemes,
  expectListening,
  fillLogin,
  people,
  sessionToken,
  test,
} from './portal.ts';
import type { Portal } from './server.ts';

const PRIVATE = 'portal.private.names';
const logOutButton = (page: Page) => page.getByRole('button', { name: 'Log out' });
const stillLoggedIn = (page: Page) => page.getByRole('heading', { name: 'You are still logged in on this device' });

/** Logs in, opens the pupils with something private in the browser's storage, and returns the session's token. */
async function openPupils(page: Page): Promise<string> {
  await fillLogin(page, people.teacher);
  await page.goto('/pupils');
  await expect(page.getByRole('link', { name: 'Abena Owusu-Mensah' }).first()).toBeVisible();
  await expectListening(page);
  await page.evaluate((key) => localStorage.setItem(key, '["Abena"]'), PRIVATE);
  return sessionToken(page);
}

async function isValid(portal: Portal, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${portal.url}/v1/users/me`, { headers })).status === 200;
}

/** Presses *Log out* where it cannot arrive: the page says so, and nothing of the user remains. */
async function failToLogOut(page: Page): Promise<void> {
  await logOutButton(page).click();
  await expect(stillLoggedIn(page)).toBeVisible();
  await expectNothingLeft(page);
}

async function expectNothingLeft(page: Page): Promise<void> {
  await expect(page.locator('body')).not.toContainText(/Abena|TEACHER/);
  const stored = () => page.evaluate(() => JSON.stringify(localStorage));
  await expect.poll(stored).not.toMatch(/portal\.private|"portal\.session"/);
}

/** The session is over, and so is its cookie. A note that it is over may stay for a minute without scripts. */
async function expectLoggedOut(page: Page, portal: Portal, token: string): Promise<void> {
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await expect.poll(() => isValid(portal, token)).toBe(false);
  // Another tab may be logging out too.
  await expect
    .poll(async () => (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`))
    .not.toEqual(expect.arrayContaining([expect.stringMatching(/^(session=|log-out=1)/)]));
}

/** Answers the log outs of a browser in the server's place, until the function that it returns is called. */
async function breakLogOut(context: BrowserContext, answer: (route: Route) => unknown): Promise<() => Promise<void>> {
  const handler = (route: Route) => (route.request().method() === 'POST' ? void answer(route) : void route.continue());
  await context.route('**/logout', handler);
  return () => context.unroute('**/logout', handler);
}

test('a log out without a connection is reported, shows no name after Back, and ends the session once the device is online', async ({
  page,
  context,
  portal,
}) => {
  const token = await openPupils(page);
  await context.setOffline(true);
  await failToLogOut(page);
  await page.goBack();
  await expect(stillLoggedIn(page)).toBeVisible();
  await expectNothingLeft(page);
  expect(await isValid(portal, token)).toBe(true);
  await context.setOffline(false);
  await expectLoggedOut(page, portal, token);
  await expect(page).toHaveURL(`${portal.url}/login?redirect=%2Fpupils`);
});

test('“Try again” ends the session after a log out that was aborted', async ({ page, context, portal }) => {
  const token = await openPupils(page);
  const repair = await breakLogOut(context, (route) => route.abort());
  await failToLogOut(page);
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await repair();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectLoggedOut(page, portal, token);
});

test('after a log out that fails with 500 the next page of the browser ends the session first', async ({
  page,
  context,
  portal,
}) => {
  const token = await openPupils(page);
  await breakLogOut(context, (route) => route.fulfill({ status: 500 }));
  await failToLogOut(page);
  await page.close();
  const next = await context.newPage();
  await next.goto('/pupils');
  await expectLoggedOut(next, portal, token);
});

test('other tabs follow a log out that first fails and then arrives', async ({ page, context, portal }) => {
  const token = await openPupils(page);
  const otherTab = await context.newPage();
  await otherTab.goto('/classes');
  await expectListening(otherTab);
  const repair = await breakLogOut(context, (route) => route.fulfill({ status: 503 }));
  await failToLogOut(page);
  await expect(stillLoggedIn(otherTab)).toBeVisible();
  await expectNothingLeft(otherTab);
  await repair();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectLoggedOut(page, portal, token);
  await otherTab.getByRole('button', { name: 'Try again' }).click();
  await expect(otherTab).toHaveURL(`${portal.url}/login?redirect=%2Fclasses`);
});

test('after a failed log out the next person logs in and stays logged in', async ({ page, context, portal }) => {
  await openPupils(page);
  await breakLogOut(context, (route) => route.abort());
  await failToLogOut(page);
  await context.unrouteAll();
  await fillLogin(page, people.otherAdmin);
  await page.goto('/account');
  await expect(page.getByLabel('Email')).toHaveValue(people.otherAdmin);
  await expect(page).toHaveURL(`${portal.url}/account`);
});

test('Log out works without JavaScript, and a link on another site asks first', async ({ browser, portal }) => {
  const context = await browser.newContext({ baseURL: portal.url, javaScriptEnabled: false });
  const page = await context.newPage();
  const logIn = async () => {
    await fillLogin(page, people.teacher);
    return sessionToken(page);
  };
  const token = await logIn();
  await logOutButton(page).click();
  await expectLoggedOut(page, portal, token);
  await page.goBack();
  await expect(page.getByRole('banner').getByText('TEACHER')).toHaveCount(0);

  const second = await logIn();
  await page.goto(`data:text/html,<a href="${portal.url}/logout">away</a>`);
  await page.getByRole('link', { name: 'away' }).click();
  await expect(page.getByRole('heading', { name: 'Log out' })).toBeVisible();
  expect(await isValid(portal, second)).toBe(true);
  await logOutButton(page).click();
  await expectLoggedOut(page, portal, second);
  await context.close();
});

test('Log out works before the scripts have arrived, and the next page removes what is stored', async ({
  page,
  context,
  portal,
}) => {
  const token = await openPupils(page);
  await context.route('**/assets/*.js', () => undefined);
  await page.goto('/classes', { waitUntil: 'commit' });
  await logOutButton(page).click();
  await expect(page).toHaveURL(/\/login/);
  await context.unrouteAll();
  await page.goto('/login');
  await expectListening(page);
  await expectLoggedOut(page, portal, token);
  await expectNothingLeft(page);
});

test('Log out works in a browser below the oldest supported one', async ({ page, portal }) => {
  const token = await openPupils(page);
  await page.addInitScript(() => Object.defineProperty(navigator, 'userActivation', { value: undefined }));
  await page.goto('/classes');
  await expect(page.getByRole('alert').filter({ hasText: 'This browser is too old' })).toBeVisible();
  await logOutButton(page).click();
  await expectLoggedOut(page, portal, token);
  await expectNothingLeft(page);
});
