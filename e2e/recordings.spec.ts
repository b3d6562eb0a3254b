import { expect, people, test } from './portal.ts';

// Only a demonstration school may record.
test.use({ demoCopy: 'changed' });

test('recordings are switched at once, and switched back when the server refuses', async ({ logIn }) => {
  const page = await logIn(people.admin, '/school');
  await page.route('**/v1/enterprises/1', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { error: 'An error occurred', error_type: 'server' } })
      : route.fallback(),
  );
  await page.getByRole('button', { name: 'Enable recordings' }).click();
  await expect(page.getByText('The change could not be saved. Recordings are still disabled.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Enable recordings' })).toBeVisible();
  await page.unroute('**/v1/enterprises/1');
  await page.getByRole('button', { name: 'Enable recordings' }).click();
  await expect(page.getByRole('button', { name: 'Disable recordings' })).toBeVisible();
});
