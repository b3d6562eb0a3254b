import { expect, people, test } from './portal.ts';

// Only a demonstration school may record.
test.use({ demoCopy: 'changed' });

test('recordings are asked about, switched at once, and switched back when the server refuses', async ({ logIn }) => {
  const page = await logIn(people.admin, '/school');
  await page.route('**/v1/enterprises/1', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { error: 'An error occurred', error_type: 'server' } })
      : route.fallback(),
  );
  const enable = async () => {
    await page.getByRole('button', { name: 'Enable recordings' }).click();
    const question = page.getByRole('dialog');
    await expect(question).toContainText('tell parents before you begin');
    await question.getByRole('button', { name: 'Enable recordings' }).click();
  };
  await enable();
  await expect(page.getByText('The change could not be saved. Recordings are still disabled.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Enable recordings' })).toBeVisible();
  await page.unroute('**/v1/enterprises/1');
  await enable();
  await expect(page.getByRole('button', { name: 'Disable recordings' })).toBeVisible();
});
