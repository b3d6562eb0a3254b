import { expect, expectAccessible, fillLogin, openBrowser, test } from './portal.ts';
import { addOperator, buildSchool, logInAsOperator } from './school.ts';

test('a teacher of a locked school whose only admin has left becomes its admin after two operators and 24 hours', async ({
  page,
  browser,
  portal,
}) => {
  test.slow();
  const [firstOperator, secondOperator] = [
    await addOperator(portal, 'Ivy Ledger'),
    await addOperator(portal, 'Noah Stone'),
  ];
  const { id, name, admin, teacher } = await buildSchool(portal, { teacher: ['Tam', 'Rowan'] });
  await portal.edit(
    `update subscriptions set starts_at = now() - interval '40 days', expires_at = now() - interval '9 days' where school_id = ${id}`,
  );

  await test.step('the closed page names the admin and leads to the request', async () => {
    await fillLogin(page, teacher);
    await expect(page.getByText('please speak to your school administrator, Olive Oak.')).toBeVisible();
    await page.getByRole('link', { name: 'Has Olive Oak left? Tell us' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Appoint an admin' })).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('What should we know? (optional)').fill('She left in July');
    await page.getByRole('button', { name: 'Ask us to appoint an admin' }).click();
    await expect(page.getByText('Tam Rowan in place of Olive Oak')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Withdraw the request' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('one operator records a check, and another one confirms it', async () => {
    const first = await openBrowser(browser, portal);
    await logInAsOperator(first, firstOperator);
    await first.getByRole('link', { name }).first().click();
    await expect(first.getByText('“She left in July”')).toBeVisible();
    await first.getByRole('button', { name: 'Record a check' }).click();
    await expectAccessible(first);
    await first.getByLabel('What did you check, and with whom?').fill('Rang the office: Olive Oak left in July.');
    await first.getByRole('button', { name: 'Record the check' }).click();
    await expect(first.getByText('Another operator must confirm it', { exact: false }).first()).toBeVisible();
    await expect(first.getByRole('button', { name: 'Confirm the check' })).toHaveCount(0);
    await first.context().close();

    const second = await openBrowser(browser, portal);
    await logInAsOperator(second, secondOperator);
    await second.getByRole('link', { name }).first().click();
    await second.getByRole('button', { name: 'Confirm the check' }).click();
    await expect(second.getByText(/It takes effect on/)).toBeVisible();
    await expectAccessible(second);
    await second.context().close();
  });

  await test.step('all staff are emailed, and the admin could still stop it', async () => {
    const head = await openBrowser(browser, portal);
    await fillLogin(head, admin);
    await head.goto('/school/appoint-admin');
    await expect(head.getByRole('complementary', { name: 'New admin' })).toContainText('Olive Oak loses access');
    await expect(head.getByRole('button', { name: 'Stop it' })).toBeVisible();
    await head.context().close();
  });

  await test.step('24 hours later the teacher is the admin, and Changes names both', async () => {
    await portal.edit(`update admin_requests set due_at = now() where school_id = ${id}`);
    await portal.edit(`insert into pgboss.job (name, data) values ('admin-requests', '{}')`);
    const readOwnRow = async () => {
      await page.goto('/teachers');
      return page.getByRole('row', { name: /Tam Rowan \(you\)/ }).innerText();
    };
    await expect.poll(readOwnRow, { timeout: 60_000 }).toMatch(/admin/i);
    await expect(page.getByRole('row', { name: /Olive Oak/ })).toHaveCount(0);
    await page.goto('/school/changes');
    await expect(
      page.getByText(/Tam Rowan was made an admin by support, and Olive Oak, who has left, was removed/),
    ).toBeVisible();
    await expect(page.getByText(/Rang the office: Olive Oak left in July/)).toBeVisible();
    await page.goto('/subscription');
    await expect(page.getByRole('heading', { level: 1, name: 'Subscription' })).toBeVisible();
  });
});
