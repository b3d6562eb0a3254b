import type { Page } from '@playwright/test';
import { expect, fillLogin, PASSWORD, people, submitLogin, test } from './portal.ts';

test('a guest logs in and then sees the requested page', async ({ page, portal }) => {
  await page.goto('/pupils?search=ada');
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await page.getByLabel('Email').fill(people.admin.toUpperCase());
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${portal.url}/pupils?search=ada`);
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
  await page.evaluate(() => Object.assign(window, { fetchedBefore: true }));
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login/);
  expect(await page.evaluate(() => 'fetchedBefore' in window), 'the document itself is left').toBe(false);
  await submitLogin(page, people.teacher);
  await expect(page.getByRole('banner').getByText('TEACHER')).toBeVisible();
});
