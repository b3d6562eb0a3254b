import { settingsFor, startTestProvider, type TestProvider } from '../server/src/testing/sign-in-provider.ts';
import { callApi, expect, expectAccessible, fillLogin, mailedLink, submitLogin, test as base } from './portal.ts';
import { buildSchool } from './school.ts';
import { type Portal, startPortal } from './server.ts';

/** A portal whose users can sign in at a provider. */
const test = base.extend<object, { provider: TestProvider; portal: Portal }>({
  provider: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the requested fixtures from this pattern
    async ({}, use) => {
      const provider = await startTestProvider();
      await use(provider);
      await provider.stop();
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ provider }, use) => {
      const portal = await startPortal(settingsFor(provider));
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

// First, because the portal remembers for ten minutes where the provider's pages are.
test('a provider that is away leaves the login form, without scripts too', async ({ browser, portal, provider }) => {
  provider.isDown = true;
  const context = await browser.newContext({ baseURL: portal.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Sign in with Trust' }).click();
  await expect(page.getByText('The sign-in service cannot be reached at the moment.')).toBeVisible();
  await expect(page.getByLabel('Email')).toBeVisible();
  await context.close();
  provider.isDown = false;
});

test('an admin links an account, allows it for the school and signs in with it; a colleague accepts with theirs', async ({
  page,
  portal,
  provider,
}) => {
  provider.addAccount('olive');
  provider.addAccount('robin', { given_name: 'Robin', family_name: 'Reed' });
  const signInAs = async (account: string) => {
    await page.getByLabel('Account', { exact: true }).and(page.locator('input')).fill(account);
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  const { id, admin, token } = await buildSchool(portal);
  await fillLogin(page, admin);
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Link Trust' }).click();
  await signInAs('olive');
  await expect(page.getByText('Your account is linked.')).toBeVisible();
  await expectAccessible(page);

  await page.goto('/school');
  await page.getByRole('button', { name: 'Allow Trust for our staff' }).click();
  await expect(page.getByText('Allowed since')).toBeVisible();
  await expectAccessible(page);

  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login/);
  await page.goto('/login?redirect=%2Fschool');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Sign in with Trust' }).click();
  await expect(page.getByRole('heading', { name: 'How staff sign in' })).toBeVisible();

  const email = `robin-${id}@reed.example`;
  await callApi(portal, 'POST', `/enterprises/${id}/invites`, { email: [email], name: ['Robin Reed'] }, token);
  const link = await mailedLink(portal, email, '/invite/');
  await page.context().clearCookies();
  await page.goto('/logout');
  await page.goto(link);
  await page.getByRole('link', { name: 'Sign in with Trust' }).click();
  await signInAs('robin');
  await expect(page.getByRole('banner').getByText('TEACHER')).toBeVisible();
  await page.goto('/account/security');
  await expect(page.getByText('Your account has no password.')).toBeVisible();
});

test('a teacher with a password links an account before they see anything of a school without passwords', async ({
  browser,
  page,
  portal,
  provider,
}) => {
  provider.addAccount('olga');
  provider.addAccount('tess');
  const signInAs = async (account: string) => {
    await page.getByLabel('Account', { exact: true }).and(page.locator('input')).fill(account);
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  const { admin, teacher } = await buildSchool(portal, { teacher: ['Tess', 'Oak'] });
  await fillLogin(page, admin);
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Link Trust' }).click();
  await signInAs('olga');
  await expect(page.getByText('Your account is linked.')).toBeVisible();
  const context = await browser.newContext({ baseURL: portal.url });
  const atWork = await context.newPage();
  await fillLogin(atWork, teacher);
  await page.goto('/school');
  await page.getByRole('button', { name: 'Allow Trust for our staff' }).click();
  const only = page.getByRole('checkbox', { name: 'Staff sign in with Trust only' });
  await only.click();
  const question = page.getByRole('dialog', { name: 'Sign in with Trust only?' });
  await expect(question).toContainText('1 person has not linked an account yet.');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Turn passwords off' }).click();
  await expect(only).toBeChecked();
  // The teacher is at work meanwhile.
  await atWork.getByRole('link', { name: 'Pupils', exact: true }).click();
  await expect(atWork.getByRole('heading', { name: 'Sign in for your school' })).toBeVisible();
  await context.close();

  await page.goto('/logout');
  await page.context().clearCookies();
  await page.goto('/login?redirect=%2Fpupils');
  await submitLogin(page, teacher);
  await expect(page).toHaveURL(/\/school-sign-in\?redirect=%2Fpupils$/);
  await expect(page.getByRole('heading', { name: 'Sign in for your school' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign in with Trust' }).press('Enter');
  await signInAs('tess');
  await expect(page.getByRole('heading', { level: 1, name: 'Pupils' })).toBeVisible();
});
