import type { Page } from '@playwright/test';
import { expect, fillLogin, PASSWORD, people, test, tokenOf } from './portal.ts';

test('a guest logs in and then sees the requested page', async ({ page, portal }) => {
  await page.goto('/pupils?search=ada');
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await page.getByLabel('Email').fill(people.admin.toUpperCase());
  await page.getByLabel('Password', { exact: true }).fill('reading-1');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${portal.url}/pupils?search=ada`);
});

test('a wrong password shows its error in the form and keeps the email', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill(people.admin);
  await page.getByLabel('Password', { exact: true }).fill('wrong password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText(/Login failed/).first()).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(people.admin);
  await expect(page).toHaveURL(/\/login/);
});

test('a redirect to another site is not followed', async ({ page, portal }) => {
  for (const redirect of ['//example.com', 'https://example.com/', '/\\example.com']) {
    await page.goto(`/login?redirect=${encodeURIComponent(redirect)}`);
    await page.getByLabel('Email').fill(people.admin);
    await page.getByLabel('Password', { exact: true }).fill('reading-1');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(`${portal.url}/`);
    await page.goto('/logout');
    await expect(page).toHaveURL(/\/login/);
  }
});

/** The token in the session cookie, which scripts of the page cannot read. */
async function sessionToken(page: Page): Promise<string> {
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'session');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  const stored = await page.evaluate(() => JSON.stringify([Object.entries(localStorage), document.cookie]));
  expect(stored).not.toContain(cookie?.value);
  return cookie?.value ?? '';
}

test('the header shows the user, the sidebar navigates, and logging out ends the session', async ({
  logInByForm,
  portal,
}) => {
  const page = await logInByForm(people.teacher);
  await expect(page.getByRole('banner').getByText('TEACHER')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Subscription' })).toHaveCount(0);
  for (const section of ['ACCOUNT', 'SCHOOL', 'HELP & SUPPORT'])
    await expect(page.getByText(section, { exact: true })).toBeVisible();
  const token = await sessionToken(page);
  expect(token).toBeTruthy();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login/);
  // The login screen appears before the server replies.
  const headers = { authorization: `Bearer ${token}` };
  await expect.poll(async () => (await fetch(`${portal.url}/v1/users/me`, { headers })).status).toBe(401);
});

test('after a log out nothing that the page had fetched, such as the invoices, is left for the next user', async ({
  page,
}) => {
  await fillLogin(page, people.admin);
  await page.getByRole('link', { name: 'Subscription' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Invoices' })).toBeVisible();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login/);
  // The same school, which the page would otherwise still have.
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.getByLabel('Email').fill(people.teacher);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('banner').getByText('TEACHER')).toBeVisible();
  await expect.poll(() => fetched.some((path) => /^\/v1\/enterprises\/\d+$/.test(path))).toBe(true);
});

test('an expired session redirects to the login without a loop', async ({ logInByForm, portal }) => {
  const page = await logInByForm(people.otherAdmin);
  const token = await sessionToken(page);
  await fetch(`${portal.url}/v1/auth`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
  await page.goto('/pupils');
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
});

test('an admin sees the badge and the subscription', async ({ logIn }) => {
  const page = await logIn(people.admin);
  await expect(page.getByRole('banner').getByText('ADMIN')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Subscription' })).toBeVisible();
});

test('calls for another school return 404', async ({ portal }) => {
  const token = await tokenOf(portal, people.otherAdmin);
  for (const path of [
    '/enterprises/1',
    '/enterprises/1/readers',
    '/enterprises/1/readers/1',
    '/charts?name=readers_accuracy_by_reading_level&start_date=2026-01-01&end_date=2026-01-31&group_id=1',
  ]) {
    const answer = await fetch(`${portal.url}/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status, path).toBe(404);
  }
});
