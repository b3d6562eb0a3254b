import type { Page } from '@playwright/test';
import { expect, expectAccessible, fillLogin, PASSWORD, test } from './portal.ts';
import { addOperator, buildSchool } from './school.ts';

test.use({ timezoneId: 'Europe/London' });

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** From the billing details to the invoice; answers its number. */
async function confirm(page: Page, email: string): Promise<string> {
  await expect(heading(page, 'Billing details')).toBeVisible();
  await page.getByLabel('Contact email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(heading(page, 'Check and confirm')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm subscription' }).click();
  await expect(heading(page, 'Thank you')).toBeVisible();
  const said = await page.getByText(/Invoice INV-\d+ has been generated/).textContent();
  return /INV-\d+/.exec(said ?? '')?.[0] ?? '';
}

test('a school goes from its trial to a package, an invoice, a lock, a payment, an upgrade and an extension', async ({
  page,
  browser,
  portal,
}) => {
  const operator = await addOperator(portal, 'Ivy Ledger');
  const { id, admin, teacher } = await buildSchool(portal, { teacher: ['Tam', 'Rowan'] });
  await fillLogin(page, admin);

  await test.step('the banner of the trial leads to the packages, and a package to its summary', async () => {
    const banner = page.getByRole('complementary', { name: 'Subscription' });
    await expect(heading(page, /Dashboard|Welcome/)).toBeVisible();
    await expect(banner).toHaveCount(0);
    await portal.edit(
      `update subscriptions set starts_at = now() - interval '24 days', expires_at = now() + interval '6 days' where school_id = ${id}`,
    );
    await page.reload();
    await expect(banner).toContainText(/Your subscription ends in [67] days/);
    await banner.getByRole('link', { name: 'Choose a package' }).click();
    await expect(heading(page, 'Choose a package')).toBeVisible();
    await expect(page.getByText('£840')).toBeVisible();
    await page.getByRole('link', { name: 'Choose One-form entry' }).click();
    await page.getByLabel('Postcode').fill('nowhere');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('link', { name: 'The Postcode is invalid' })).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Postcode').fill('ec1a1bb');
    await page.getByLabel('Purchase order number (optional)').fill('PO 7');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('£1,008.00')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Change billing details' }).click();
    await expect(page.getByLabel('Purchase order number (optional)')).toHaveValue('PO 7');
  });

  let number = '';
  await test.step('the confirmation makes an invoice, which is downloaded and shown to whoever has its link', async () => {
    number = await confirm(page, 'finance@oak-row.example');
    await expect(page.getByRole('link', { name: 'Download Invoice' })).toBeVisible();
    await expectAccessible(page);
    const link = await page.getByRole('link', { name: 'Pay Now' }).getAttribute('href');
    const guest = await (await browser.newContext()).newPage();
    await guest.goto(`${portal.url}${link}`);
    await expect(guest.getByRole('heading', { level: 1, name: 'How to pay' })).toBeVisible();
    await expectAccessible(guest);
    const download = guest.waitForEvent('download');
    await guest.getByRole('link', { name: 'Download Invoice' }).click();
    expect((await download).suggestedFilename()).toBe(`${number}.pdf`);
    await guest.context().close();
  });

  await test.step('overdue, the school is locked for its admin and its teacher', async () => {
    await portal.edit(`update invoices set due_date = '2020-01-01' where school_id = ${id}`);
    await page.goto('/pupils');
    await expect(page).toHaveURL(/\/payment-required\?show_sp_link=false$/);
    await expect(page.getByText(/unpaid past its due date/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Enter School Portal' })).toHaveCount(0);
    await expectAccessible(page);
    await page.getByLabel('Payment reference').fill('BACS 1 June');
    await page.getByRole('button', { name: 'Tell us that you have paid' }).click();
    await expect(page.getByText(/You told us on/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Tell us that you have paid' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Pupils’ logins' }).click();
    await expect(heading(page, 'Pupils’ logins')).toBeVisible();
    await expect(page.getByRole('complementary', { name: 'Subscription' })).toContainText('The account is locked.');
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Classes' })).toHaveCount(0);
    await expectAccessible(page);
    for (const [path, title] of [
      ['/teachers', 'Teachers'],
      ['/school', 'School'],
      ['/pupils/archive', 'Archive'],
      ['/contact', 'Contact'],
      ['/account', 'Edit Details'],
    ] as const) {
      await page.goto(path);
      await expect(heading(page, title)).toBeVisible();
    }
    await page.goto('/school');
    const archive = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the school' }).click();
    expect((await archive).suggestedFilename()).toMatch(/\.zip$/);
    const colleague = await (await browser.newContext()).newPage();
    await fillLogin(colleague, teacher, portal.url);
    await expect(colleague).toHaveURL(/\/payment-required/);
    await expect(colleague.getByText(/please speak to your school administrator/)).toBeVisible();
    await expect(colleague.getByRole('link', { name: 'Pay Now' })).toHaveCount(0);
    await expectAccessible(colleague);
    await colleague.context().close();
  });

  await test.step('an operator marks it paid in the console, and the school is open', async () => {
    const console = await (await browser.newContext()).newPage();
    await console.goto(`${portal.url}/admin`);
    await console.getByLabel('Email').fill(operator);
    await console.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await console.getByRole('button', { name: 'Log in' }).click();
    await console.getByRole('link', { name: 'Subscriptions' }).click();
    await expect(heading(console, 'Subscriptions')).toBeVisible();
    await console.getByLabel('Schools that are').selectOption('locked');
    await expect(console.getByRole('link', { name: /Oak Row/ })).toBeVisible();
    await expectAccessible(console);
    for (const name of ['Packages', 'Revenue', 'Invoices']) {
      await console.getByRole('link', { name, exact: true }).click();
      await expect(heading(console, name)).toBeVisible();
      await expect(console.getByRole('table').first()).toBeVisible();
      await expectAccessible(console);
    }
    await expect(console.getByRole('table', { name: 'Reported as paid' })).toContainText('BACS 1 June');
    await console.getByRole('button', { name: `Settle ${number}`, exact: true }).click();
    await console.getByLabel('Reference of the payment (optional)').fill('BACS 1');
    await expectAccessible(console);
    await console.getByRole('button', { name: 'Mark as paid' }).click();
    await expect(console.getByText(`${number} is marked as paid`)).toBeVisible();
    await console.context().close();
    await page.goto('/pupils');
    await expect(heading(page, 'Pupils')).toBeVisible();
  });

  await test.step('in the middle of the year the upgrade costs the days that are left', async () => {
    // 184 days gone and 181 left of 365, by any date on which this runs.
    await portal.edit(`update subscriptions set starts_at = date_trunc('day', now()) + interval '12 hours' - interval '184 days', expires_at = date_trunc('day', now()) + interval '12 hours' + interval '180 days'
      where school_id = ${id} and ended_at is null`);
    await page.goto('/subscription');
    await expect(page.getByText('paid', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Upgrade Two-form entry' }).click();
    // (£1,440 − £840) × 181 ÷ 365
    await expect(page.getByText('£297.53')).toBeVisible();
    const upgrade = await confirm(page, 'finance@oak-row.example');
    await page.goto('/subscription');
    await expect(page.getByText('Upgrading is not available whilst there is an unpaid invoice.')).toBeVisible();
    await expect(page.getByRole('complementary', { name: 'Subscription' })).toContainText(
      'You have an unpaid invoice due by',
    );
    expect(await portal.operator('invoices', 'paid', upgrade, 'BACS 2')).toBe(`${upgrade} is marked as paid.`);
  });

  await test.step('near its end it is extended', async () => {
    await portal.edit(`update subscriptions set starts_at = now() - interval '335 days', expires_at = now() + interval '29 days'
      where school_id = ${id} and ended_at is null`);
    await page.goto('/');
    const banner = page.getByRole('complementary', { name: 'Subscription' });
    await expect(banner).toContainText('Your subscription ends in 29 days');
    await banner.getByRole('link', { name: 'Extend' }).click();
    await expect(page.getByText('Extension by 12 months.')).toBeVisible();
    await confirm(page, 'finance@oak-row.example');
    await page.getByRole('link', { name: 'Enter School Portal' }).click();
    await expect(heading(page, /Dashboard/)).toBeVisible();
  });
});

test('without a subscription that runs an admin chooses one, and a teacher is told whom to ask', async ({
  page,
  browser,
  portal,
}) => {
  const { id, admin, teacher } = await buildSchool(portal, { teacher: ['Tam', 'Rowan'] });
  await portal.edit(`update subscriptions set starts_at = now() - interval '40 days', expires_at = now() - interval '1 day'
    where school_id = ${id}`);
  await fillLogin(page, admin);
  await expect(page).toHaveURL(/\/select-subscription\?show_sp_link=false$/);
  await expect(heading(page, 'Your subscription has expired')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start free trial' })).toHaveCount(0);
  await expectAccessible(page);

  const colleague = await (await browser.newContext()).newPage();
  await fillLogin(colleague, teacher, portal.url);
  await expect(heading(colleague, 'Your subscription has expired')).toBeVisible();
  await expect(colleague.getByText(/please speak to your school administrator/)).toBeVisible();
  await colleague.goto(`${portal.url}/fill-billing-details?package=5`);
  await expect(colleague).toHaveURL(/\/select-subscription/);
  await colleague.context().close();
});
