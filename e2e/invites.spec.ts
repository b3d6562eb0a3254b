import { callApi, expect, expectAccessible, mailedLink, PASSWORD, people, submitLogin, test } from './portal.ts';
import { expectSoundLayout } from './layout.ts';
import { buildSchool } from './school.ts';
import type { Portal } from './server.ts';

/** Invites a teacher to a new school, and returns the link in the email. */
async function invite(portal: Portal, email: string): Promise<string> {
  const { id, token } = await buildSchool(portal);
  await callApi(portal, 'POST', `/enterprises/${id}/invites`, { email: [email], name: ['Robin Reed'] }, token);
  return mailedLink(portal, email, '/invite/');
}

test('a guest registers from the invitation and joins the school', async ({ page, portal }) => {
  const email = 'konstantin.brzeczyszczykiewicz@oak-row-primary.example';
  const link = await invite(portal, email);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1, name: /^Join / })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await expectSoundLayout(page, '/invite');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.reload();
  await expect(page.getByText(`Your invitation is for ${email}.`)).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('First name').fill('Robin');
  await page.getByLabel('Last name').fill('Reed');
  await page.getByLabel('Password', { exact: true }).fill('kettle over 7 hills');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('banner').getByText('TEACHER')).toBeVisible();
  await expect(page.getByText('You have joined')).toBeVisible();
  await expect(page).toHaveURL(`${portal.url}/`);

  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login/);
  await page.goto(link);
  await expect(page).toHaveURL(/\/login/);
  await expect(
    page.getByText('This invitation has already been accepted. Log in to open the school.').first(),
  ).toBeVisible();
});

test('a user with an account logs in to accept', async ({ page, portal }) => {
  const email = 'standard@reed.example';
  await callApi(portal, 'POST', '/users', {
    first_name: 'Sam',
    last_name: 'Reed',
    email,
    password: PASSWORD,
    user_type: 'standard',
  });
  await page.goto(await invite(portal, email));
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText(`Log in as ${email} to accept your invitation.`)).toBeVisible();
  await page.reload();
  await expect(page.getByText(`Log in as ${email} to accept your invitation.`)).toBeVisible();
  await submitLogin(page, email);
  await expect(page.getByRole('banner').getByText('TEACHER')).toBeVisible();
});

test('a logged-in user who declines is logged out and sees the confirmation', async ({ page, portal, logIn }) => {
  const email = 'declines@reed.example';
  const account = { first_name: 'Una', last_name: 'Reed', email, password: PASSWORD, user_type: 'standard' };
  await callApi(portal, 'POST', '/users', account);
  const link = await invite(portal, email);
  await logIn(email, new URL(link).pathname);
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('You have declined the invitation').first()).toBeVisible();
  await page.goto('/account');
  await expect(page).toHaveURL(/\/login/);
  await page.goto(link);
  await expect(page.getByText('This invitation was declined.').first()).toBeVisible();
});

test('a parent with a private account reads before joining that it deletes their readers, and closes the question', async ({
  page,
  portal,
}) => {
  const email = 'parent@reed.example';
  const account = { first_name: 'Ola', last_name: 'Reed', email, password: PASSWORD, user_type: 'standard' };
  const { user } = await callApi<{ user: { id: number } }>(portal, 'POST', '/users', account);
  await portal.edit(
    `insert into own_readers (user_id, name, type) values (${user.id}, 'Ivy', 'child'), (${user.id}, 'Demo', 'demo')`,
  );
  const link = await invite(portal, email);
  const question = page.getByRole('heading', { level: 1, name: /and delete your readers\?$/ });
  await page.goto(link);
  await page.getByRole('button', { name: 'Log in' }).click();
  await submitLogin(page, email);
  await expect(question).toBeVisible();
  await expect(page.getByText(/deletes the 1 reader of your own account: Ivy\./)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close and log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(/to accept your invitation/)).toHaveCount(0);
  await page.goto(link);
  await page.getByRole('button', { name: 'Log in' }).click();
  await submitLogin(page, email);
  await expect(question).toBeVisible();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('banner').getByText('TEACHER')).toBeVisible();
});

test('an invitation is accepted in a browser without JavaScript', async ({ browser, portal }) => {
  const email = 'without-script@reed.example';
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(await invite(portal, email));
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('First name').fill('Nia');
  await page.getByLabel('Last name').fill('Reed');
  await page.getByLabel('Password', { exact: true }).fill('kettle over 7 hills');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('banner').getByText('TEACHER')).toBeVisible();
  await expect(page).toHaveURL(`${portal.url}/#joined`);
  await context.close();
});

test('an invitation for another address shows a message and a way to continue', async ({ page, portal }) => {
  const link = await invite(portal, 'somebody-else@reed.example');
  await page.goto(link);
  await page.getByRole('button', { name: 'Log in' }).click();
  await submitLogin(page, people.teacher);
  await expect(page.getByText(/This invitation was sent to a different email address/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to main page' }).click();
  await expect(page.getByRole('banner').getByText('TEACHER')).toBeVisible();
});
