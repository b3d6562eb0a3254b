import {
  callApi,
  expect,
  expectAccessible,
  expectLoaded,
  fillLogin,
  openBrowser,
  people,
  submitLogin,
  test,
  tokenOf,
} from './portal.ts';
import { addOperator, logInAsOperator } from './school.ts';
import { startPortal } from './server.ts';

test('an operator finds a school and works as a member of its staff, with both names in the audit log', async ({
  page,
  portal,
  browser,
}) => {
  const operator = await addOperator(portal, 'Olive Marsh');
  await page.goto('/admin');
  await submitLogin(page, people.teacher);
  await expect(page.getByText('This account does not belong to an operator.')).toBeVisible();
  await expectAccessible(page);
  await logInAsOperator(page, operator);

  await page.keyboard.press('/');
  await page.keyboard.type('nothing like this');
  await expect(page.getByText('No school found')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('searchbox').fill(people.admin);
  await expect(page).toHaveURL(/search=/);
  await page.getByRole('link', { name: /Willowbank/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Willowbank/ })).toBeVisible();
  await expect(page.getByText(/^Accepted on /)).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Background work' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Background work' })).toBeVisible();
  await expect(page.getByText(/^Nothing is late/)).toBeVisible();
  await expect(page.getByText('No job failed in the last seven days')).toBeVisible();
  await expect(page.getByRole('row', { name: /Send an email/ })).toBeVisible();
  await expectAccessible(page);
  await page.goBack();

  await page.getByRole('button', { name: /^Log in as Helen / }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Log in as/ }).click();
  await expect(dialog.getByRole('link', { name: 'Enter the reason.' })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('Request 4711: invoices');
  await dialog.getByRole('button', { name: /^Log in as/ }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'School' })).toBeVisible();
  const banner = page.getByRole('region', { name: 'Logged in as another person' });
  await expect(banner).toContainText('Olive Marsh');
  await expect(banner).toContainText('Helen');
  await expect(banner).toContainText('An admin of the school can let you see data about pupils');
  await expectAccessible(page);
  await page.goto('/pupils');
  await expect(page, 'support sees only settings and billing').toHaveURL(/\/school$/);
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Pupils' })).toHaveCount(0);

  const head = await openBrowser(browser, portal);
  await fillLogin(head, people.admin);
  await head.goto('/school');
  await head.getByRole('button', { name: 'Allow for an hour' }).click();
  await expectAccessible(head);
  await head.getByRole('dialog').getByRole('button', { name: 'Allow for an hour' }).click();
  const card = head.getByRole('region', { name: 'Access for support' });
  await expect(card).toContainText(/Support can see data about pupils until .* allowed by Helen/);
  await page.goto('/pupils');
  await expect(page.getByRole('heading', { level: 1, name: 'Pupils' })).toBeVisible();
  await expect(banner.getByRole('button', { name: 'End' })).toBeVisible();
  await page.goto('/admin');
  await expect(page, 'the console is closed while an operator works as a member of staff').toHaveURL(/\/$/);
  await card.getByRole('button', { name: 'End now' }).click();
  await expect(card.getByRole('button', { name: 'Allow for an hour' })).toBeVisible();
  await page.reload();
  await expect(page, 'support is logged out').toHaveURL(/\/login/);
  await card.getByRole('link', { name: 'See what support has done' }).click();
  await expect(head.getByRole('row', { name: /Logged in as Helen/i })).toContainText('Olive Marsh');
  await head.context().close();
  const token = await tokenOf(portal, people.admin);
  const { entries } = await callApi<{
    entries: { action: string; impersonator: { name: string } | null; details: { reason?: string } }[];
  }>(portal, 'GET', '/enterprises/1/audit-log', undefined, token);
  const started = entries.find(({ action }) => action === 'impersonation_started');
  expect(started).toMatchObject({
    impersonator: { name: 'Olive Marsh' },
    details: { reason: 'Request 4711: invoices' },
  });
});

test('where the new statistics are limited, an operator switches them on for a school', async ({ page, context }) => {
  const portal = await startPortal({ NEW_STATISTICS: 'limited' });
  try {
    const panel = page.getByRole('region', { name: 'Who needs me' });
    const openDashboard = async () => {
      await fillLogin(page, people.admin, portal.url);
      await expect(page.getByRole('heading', { level: 1, name: /Dashboard/ })).toBeVisible();
      await expectLoaded(page);
    };
    await openDashboard();
    await expect(panel).toHaveCount(0);
    await context.clearCookies();

    const operator = await addOperator(portal, 'Olive Marsh');
    await logInAsOperator(page, operator, portal.url);
    await page.getByRole('link', { name: /Willowbank/ }).click();
    await page.getByLabel('New statistics').click();
    await expect(page.getByLabel('New statistics')).toBeChecked();
    await expect(page.getByLabel('New statistics')).toBeEnabled();
    await context.clearCookies();

    await openDashboard();
    await expect(panel).toBeVisible();
  } finally {
    await portal.stop();
  }
});
