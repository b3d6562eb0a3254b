import type { Page } from '@playwright/test';
import { expect, expectAccessible, fillLogin, openBrowser, saveFile, savePdf, test } from './portal.ts';
import { addOperator, buildSchool, logInAsOperator } from './school.ts';

test.use({ timezoneId: 'Europe/London' });

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Goes from the billing details to the invoice, and returns its number. */
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

test('a school goes through a trial, a purchase, a lock, a payment, an upgrade and a renewal into a smaller package', async ({
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
    await expect(page.getByText('£840', { exact: true })).toBeVisible();
    await expect(page.getByText(/, then £840 a year from /)).toBeVisible();
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
  await test.step('the confirmation issues an invoice, which anyone with its link can see and download', async () => {
    number = await confirm(page, 'finance@oak-row.example');
    await expect(page.getByRole('link', { name: 'Download Invoice' })).toBeVisible();
    await expectAccessible(page);
    const link = await page.getByRole('link', { name: 'Pay Now' }).getAttribute('href');
    const guest = await openBrowser(browser, portal);
    await guest.goto(link ?? '');
    await expect(guest.getByRole('heading', { level: 1, name: 'How to pay' })).toBeVisible();
    await expectAccessible(guest);
    await expect(guest.getByText(/^Then £840 a year from /)).toBeVisible();
    await guest.setViewportSize({ width: 375, height: 800 });
    expect(await guest.evaluate('document.documentElement.scrollWidth')).toBe(375);
    expect(await savePdf(guest, guest.getByRole('link', { name: 'Download Invoice' }))).toBe(`${number}.pdf`);
    await guest.context().close();
  });

  await test.step('overdue, the school is locked for its admin and its teacher', async () => {
    await portal.edit(`update invoices set due_date = '2020-01-01', locks_on = '2020-01-08' where school_id = ${id}`);
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
    const { name } = await saveFile(page, page.getByRole('button', { name: 'Download the school' }));
    expect(name).toMatch(/\.zip$/);
    const colleague = await openBrowser(browser, portal);
    await fillLogin(colleague, teacher);
    await expect(colleague).toHaveURL(/\/payment-required/);
    await expect(colleague.getByText(/please speak to your school administrator/)).toBeVisible();
    await expect(colleague.getByRole('link', { name: 'Pay Now' })).toHaveCount(0);
    await expectAccessible(colleague);
    await colleague.context().close();
  });

  await test.step('an operator reconciles a card payment, marks the invoice paid in the console, and the school is open', async () => {
    await portal.edit(`insert into unmatched_payments (session_id, invoice_number, reason, reference, amount_pence, currency, received_at)
      values ('cs_journey', '${number}', 'amount_differs', 'pi_${number}', 99900, 'gbp', now())`);
    const console = await openBrowser(browser, portal);
    await logInAsOperator(console, operator);
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
    await expect(console.getByRole('table', { name: 'Payments to reconcile' })).toContainText('£999.00');
    await console.getByRole('button', { name: `Reconcile ${number}` }).click();
    await expect(console.getByText(`The payment for ${number} is reconciled`)).toBeVisible();
    await expect(console.getByRole('table', { name: 'Payments to reconcile' })).toHaveCount(0);
    await console.getByRole('button', { name: `Settle ${number}`, exact: true }).click();
    await console.getByLabel('Reference of the payment (optional)').fill('BACS 1');
    await expectAccessible(console);
    await console.getByRole('button', { name: 'Mark as paid' }).click();
    await expect(console.getByText(`${number} is marked as paid`)).toBeVisible();
    await console.context().close();
    await page.goto('/pupils');
    await expect(heading(page, 'Pupils')).toBeVisible();
  });

  await test.step('in the middle of the year an upgrade costs the remaining days', async () => {
    // 184 of 365 days have passed and 181 remain, on any day of the year.
    await portal.edit(`update subscriptions set starts_at = date_trunc('day', now()) + interval '12 hours' - interval '184 days', expires_at = date_trunc('day', now()) + interval '12 hours' + interval '180 days'
      where school_id = ${id} and ended_at is null`);
    await page.goto('/subscription');
    await expect(page.getByText('paid', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Upgrade Two-form entry' }).click();
    // (£1,440 − £840) × 181 ÷ 365
    await expect(page.getByText(/£297.53 now, then £1,440 a year from /)).toBeVisible();
    const upgrade = await confirm(page, 'finance@oak-row.example');
    await page.goto('/subscription');
    await expect(page.getByText('Upgrading is not available whilst there is an unpaid invoice.')).toBeVisible();
    await expect(page.getByRole('complementary', { name: 'Subscription' })).toContainText(
      'You have an unpaid invoice due by',
    );
    expect(await portal.operator('invoices', 'paid', upgrade, 'BACS 2')).toBe(`${upgrade} is marked as paid.`);
  });

  await test.step('near its end it is extended by a smaller package, which is paid after another lock', async () => {
    await portal.edit(`update subscriptions set starts_at = now() - interval '335 days', expires_at = now() + interval '29 days'
      where school_id = ${id} and ended_at is null`);
    await page.goto('/');
    const banner = page.getByRole('complementary', { name: 'Subscription' });
    await expect(banner).toContainText('Your subscription ends in 29 days');
    await banner.getByRole('link', { name: 'Extend' }).click();
    await expect(page.getByText('Extension by 12 months.')).toBeVisible();
    await page.goto('/select-subscription');
    await page.getByRole('link', { name: 'Change at renewal to One-form entry' }).click();
    const renewal = await confirm(page, 'finance@oak-row.example');
    await page.getByRole('link', { name: 'Enter School Portal' }).click();
    await expect(heading(page, /Dashboard/)).toBeVisible();

    await portal.edit(
      `update invoices set due_date = '2020-01-01', locks_on = '2020-01-08' where school_id = ${id} and status = 'open'`,
    );
    await page.goto('/pupils');
    await page.getByLabel('Payment reference').fill('BACS 3');
    await page.getByRole('button', { name: 'Tell us that you have paid' }).click();
    await expect(page.getByText(/You told us on/)).toBeVisible();
    expect(await portal.operator('invoices', 'paid', renewal, 'BACS 3')).toBe(`${renewal} is marked as paid.`);
    await page.goto('/pupils');
    await expect(heading(page, 'Pupils')).toBeVisible();
    // Until the smaller package starts, today's places remain.
    await page.goto('/subscription');
    const own = page.getByRole('region', { name: 'Your subscription' });
    await expect(own).toContainText(
      /Two-form entry.*Up to 480 students.*0 of 480.*From \d+ \w+ \d+One-form entry.*Up to 240 students/,
    );
  });
});

test('without an active subscription an admin can choose a package, and a teacher sees who to ask', async ({
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

  const colleague = await openBrowser(browser, portal);
  await fillLogin(colleague, teacher);
  await expect(heading(colleague, 'Your subscription has expired')).toBeVisible();
  await expect(colleague.getByText(/please speak to your school administrator/)).toBeVisible();
  await colleague.goto('/fill-billing-details?package=5');
  await expect(colleague).toHaveURL(/\/select-subscription/);
  await colleague.context().close();
});
