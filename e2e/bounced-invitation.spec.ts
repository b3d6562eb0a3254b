import { expect, expectAccessible, fillLogin, test } from './portal.ts';
import { addOperator, buildSchool, logInAsOperator } from './school.ts';

const WORDS = '550 5.1.1 no such mailbox';

test('an admin sees that an invitation came back and invites the right address, and an operator sees the wrong one', async ({
  page,
  portal,
}) => {
  const school = await buildSchool(portal);
  await fillLogin(page, school.admin);
  const invite = async (address: string) => {
    await page.goto('/add-teacher');
    await page.getByLabel('Email of teacher 1').fill(address);
    await page.getByRole('button', { name: 'Send invitations' }).click();
    await expect(page.getByText('An invitation has been sent to the teachers').first()).toBeVisible();
  };
  const wrong = `robin.${String(school.id)}@oak-roe.example`;
  await invite(wrong);
  await portal.edit(`
    insert into outbox (kind, recipient, about, from_school_id, created_at, delivery, delivery_at, fault, fault_code, counts_against_address)
    select 'invite', email, 'invite:' || id, school_id, now(), 'rejected', now(), '${WORDS}', '5.1.1', true
    from invites, generate_series(1, 2) where email = '${wrong}'`);
  await page.goto('/teachers');
  const row = page.getByRole('row').filter({ hasText: wrong });
  await expect(row.getByText(`Email not delivered: “${WORDS}”`)).toBeVisible();
  await expectAccessible(page);
  await invite(`robin.${String(school.id)}@oak-row.example`);

  await portal.edit(`
    insert into outbox (kind, recipient, from_school_id, created_at, delivery, delivery_at, fault, fault_code, counts_against_address)
    values ('billing_reminder', '${school.admin}', ${String(school.id)}, now(), 'bounced', now(), '${WORDS}', '5.1.1', true)`);
  await page.goto('/account');
  const banner = page.getByRole('complementary', { name: 'Emails that come back' });
  await expect(banner).toContainText(`Emails to ${school.admin} do not arrive: “${WORDS}”`);
  await expect(page.getByText(`Emails to ${school.admin} do not arrive`, { exact: true })).toBeVisible();
  await expectAccessible(page);

  const operator = await addOperator(portal, 'Olive Marsh');
  await page.context().clearCookies();
  await logInAsOperator(page, operator, portal.url);
  await page.goto('/admin/background-work');
  const bounced = page.getByRole('row').filter({ hasText: wrong });
  await expect(bounced).toContainText('2 emails; no more are sent');
  await bounced.getByRole('button', { name: `Try again with ${wrong}` }).click();
  await expect(bounced).toHaveCount(0);
  await expectAccessible(page);
});
