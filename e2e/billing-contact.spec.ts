import { buildSchool } from './school.ts';
import { expect, expectAccessible, fillLogin, test } from './portal.ts';

test('an admin of a locked school changes the billing contact on the payment page', async ({ page, portal }) => {
  const { id, admin } = await buildSchool(portal);
  await portal.edit(`
    insert into invoices (school_id, number, token, subscription_id, status, issued_at, due_date, locks_on,
      subtotal_pence, vat_pence, total_pence, content)
    select ${String(id)}, 'INV-9${String(id)}', 'token-of-${String(id)}', id, 'open', '2020-01-01', '2020-01-31', '2020-02-03',
      84000, 16800, 100800, '{}' from subscriptions where school_id = ${String(id)} and ended_at is null`);
  await fillLogin(page, admin);
  await expect(page.getByRole('heading', { level: 1, name: 'Payment required' })).toBeVisible();
  await page.getByRole('button', { name: 'Change the billing contact' }).click();
  await page.getByLabel('Contact name').fill('Bea Bursar');
  await page.getByLabel('Address line 1').fill('1 School Lane');
  await page.getByLabel('Postcode').fill('nowhere');
  await page.getByLabel('Phone').fill('0161 496 0000');
  await page.getByLabel('Contact email').fill('bursar@oak-row.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: 'The Postcode is invalid' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Postcode').fill('ec1a1bb');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/Invoices and reminders now go to Bea Bursar, bursar@oak-row\.example/)).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByText(/Invoices and reminders go to Bea Bursar, bursar@oak-row\.example/)).toBeVisible();
});
