import { expect, expectLoaded, people, test } from './portal.ts';
import { addOperator, logInAsOperator } from './school.ts';
import { adminScreens, guestScreens, operatorScreens } from './screen-list.ts';
import { expectValidHtml } from './valid-html.ts';

/** All screens, also in `npm test`: a document is checked in milliseconds. */
for (const [who, screens] of [
  ['admins', adminScreens],
  ['guests', guestScreens],
] as const)
  test(`the server-rendered screens for ${who} are valid HTML`, async ({ page: guest, logIn }) => {
    const page = who === 'guests' ? guest : await logIn(people.admin, '/account');
    for (const [, path] of screens) {
      const html = await (await page.request.get(path, { headers: { accept: 'text/html' } })).text();
      // One leads to the dashboard once the browser runs it.
      if (!path.startsWith('/feedback/')) expect.soft(html, path).toMatch(/<h1[ >]/);
      await expectValidHtml(html, path);
    }
  });

test('the screens for operators, which the browser renders, are valid HTML', async ({ page, portal }) => {
  await logInAsOperator(page, await addOperator(portal, 'Olive Marsh'));
  for (const [, path, heading] of operatorScreens) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expectLoaded(page);
    await expectValidHtml(await page.content(), path);
  }
});
