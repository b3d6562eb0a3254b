import { callApi, confirmAddress, expect, expectAccessible, mailedLink, PASSWORD, people, test } from './portal.ts';
import { expectSoundLayout } from './layout.ts';
import { buildSchool } from './school.ts';
import type { Portal } from './server.ts';

/** Invites somebody to a new school, and answers the link in the mail. */
async function invite(portal: Portal, email: string): Promise<string> {
  const { id, admin, token } = await buildSchool(portal);
  await confirmAddress(portal, admin);
  await callApi(portal, 'POST', `/enterprises/${id}/invites`, { email: [email], name: ['Robin Reed'] }, token);
  return mailedLink(portal, email, '/invite/');
}

test('a guest registers from the invitation and joins the school', async ({ page, portal }) => {
  const link = await invite(portal, 'newcomer@reed.example');
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1, name: /^Join / })).toBeVisible();
  await expect(page.getByText('newcomer@reed.example')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByLabel('Email')).toHaveValue('newcomer@reed.example');
  await page.reload();
  await expect(page.getByText('Your invitation is for newcomer@reed.example.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('newcomer@reed.example');
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
  await expect(page.getByText('This invitation was accepted already. Log in to open the school.')).toBeVisible();
});

test('an invitation to an address of many letters fits a phone', async ({ page, portal }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(await invite(portal, 'konstantin.brzeczyszczykiewicz@oak-row-primary.example'));
  await expect(page.getByRole('heading', { level: 1, name: /^Join / })).toBeVisible();
  await expectSoundLayout(page, '/invite');
});

test('an invitation is declined', async ({ page, portal }) => {
  const link = await invite(portal, 'declines@reed.example');
  await page.goto(link);
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page).toHaveURL(/\/login\?action=decline$/);
  await expect(page.getByText('You have declined the invitation')).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('This invitation was declined.')).toBeVisible();
});

test('somebody with an account logs in to accept', async ({ page, portal }) => {
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
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('banner').getByText('TEACHER')).toBeVisible();
});

for (const [answer, ends] of [
  ['Yes', 'joins'],
  ['No', 'declines'],
  ['Close', 'logs out'],
] as const)
  test(`a private account with profiles of its own is asked before they are deleted: ${answer} ${ends}`, async ({
    page,
    portal,
  }) => {
    const email = `readers-${answer.toLowerCase()}@reed.example`;
    await callApi(portal, 'POST', '/users', {
      first_name: 'Sam',
      last_name: 'Reed',
      email,
      password: PASSWORD,
      user_type: 'standard',
    });
    const link = await invite(portal, email);
    // Readers of one's own come from the reading product: here the login says that there are some.
    await page.route('**/v1/auth', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      const body = (await response.json()) as { user: { readers: object[] } };
      body.user.readers = [
        { id: 1, name: 'Ivy', type: 'standard' },
        { id: 2, name: 'Demo', type: 'demo' },
      ];
      await route.fulfill({ response, json: body });
    });
    await page.goto(link);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('deletes the 1 reader of your own account: Ivy.')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: answer, exact: true }).click();
    if (answer === 'Yes') await expect(page.getByRole('banner').getByText('TEACHER')).toBeVisible();
    if (answer === 'No') await expect(page.getByText('You have declined the invitation')).toBeVisible();
    if (answer === 'Close') await expect(page).toHaveURL(/\/login$/);
    const id = link.split('/').at(-1);
    const { invite: after } = await callApi<{ invite: { status: string } }>(
      portal,
      'GET',
      `/enterprises/invites/${id}`,
    );
    expect(after.status).toBe({ Yes: 'accepted', No: 'declined', Close: 'pending' }[answer]);
  });

test('whoever is logged in and declines is told so, however late the next screen comes', async ({
  page,
  portal,
  logIn,
}) => {
  const email = 'declines@reed.example';
  const account = { first_name: 'Una', last_name: 'Reed', email, password: PASSWORD, user_type: 'standard' };
  await callApi(portal, 'POST', '/users', account);
  await logIn(email, new URL(await invite(portal, email)).pathname);
  let release = () => {};
  const isReleased = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/assets/LoginPage-*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  // The page asks for the invitation once more when the session has ended, and hears that it was declined.
  const isHeard = page.waitForResponse(
    async (response) =>
      response.request().method() === 'GET' &&
      response.url().includes('/invites/') &&
      (await response.text()).includes('declined'),
  );
  await page.getByRole('button', { name: 'Decline' }).click();
  await isHeard;
  release();
  await expect(page.getByText('You have declined the invitation')).toBeVisible();
});

test('an invitation for another address says so, and lets the person go on', async ({ page, portal }) => {
  const link = await invite(portal, 'somebody-else@reed.example');
  await page.goto(link);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Email').fill(people.teacher);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(
    page.getByText(/This invitation was sent to another email address|belongs to a school already/),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to main page' }).click();
  await expect(page.getByRole('banner').getByText('TEACHER')).toBeVisible();
});

test('an unknown invitation link leads to the login', async ({ page }) => {
  for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense']) {
    await page.goto(`/invite/${id}`);
    await expect(page.getByText('This invitation does not exist any more.')).toBeVisible();
  }
});
