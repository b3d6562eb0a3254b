import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectLoaded, people, test } from './portal.ts';

/** Screens that are built; each is looked at by axe in both colour schemes and at both widths. */
const screens: [name: string, path: string, heading: string | RegExp][] = [
  ['dashboard', '/', /Dashboard/],
  ['dashboard of a class', '/?class=2&from=2026-01-01&to=2026-03-31', /Dashboard/],
  ['pupils', '/pupils', 'Pupils'],
  ['pupils, none found', '/pupils?search=zzzz', 'Pupils'],
  ['pupil', '/pupils/29', /./],
  ['pupil in a class', '/classes/2/pupils/29', /./],
  ['pupil who is not there', '/pupils/999999', /./],
  ['logins that are not there', '/logins/00000000-0000-4000-8000-000000000000', 'New logins'],
  ['classes', '/classes', 'Classes'],
  ['class', '/classes/2', /Kingfishers/],
  ['class, adding existing pupils', '/classes/2?add=existing', /Kingfishers/],
  ['class that is not there', '/classes/999999', 'Class not found'],
  ['adding pupils', '/school/add-readers', 'Add Pupils'],
  ['adding pupils to a class', '/classes/2/add-readers', 'Add Pupils'],
  ['school', '/school', 'School'],
  ['editing the school', '/edit-school', 'Update the school details'],
  ['teachers', '/teachers', 'Teachers'],
  ['adding teachers', '/add-teacher', 'Add Teacher'],
  ['account', '/account', 'Edit Details'],
  ['not built yet', '/videoguides', /./],
  ['unknown address', '/nowhere/at-all', 'Page not found'],
];

/** Screens that need no login. */
const guestScreens: [path: string, heading: string | RegExp][] = [
  ['/register', 'Register'],
  ['/register-school', 'Register your school'],
  ['/forgotten', 'Forgotten Password'],
  ['/password/forgotten', 'Forgotten Password'],
  ['/password/reset?token=none', 'Choose a new password'],
  ['/subscription/register', 'Start a subscription'],
  ['/subscription/start', 'Start a subscription'],
  ['/subscription/renew', 'Renew your subscription'],
  ['/subscription/warning', 'For schools only'],
  ['/licence', /./],
  ['/terms', /./],
  ['/privacy', /./],
  ['/setup/none', 'Set up your account'],
  ['/admin', /Operator/],
];

async function expectNoSidewaysScroll(page: Page, path: string): Promise<void> {
  const spill = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(spill, `sideways scroll on ${path}`).toBeLessThanOrEqual(0);
}

/** The page as it is, in both colour schemes. */
async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await test.step(colorScheme, () => expectAccessible(page));
  }
}

for (const width of [1280, 375]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test('login is accessible', async ({ page }) => {
      await page.goto('/login?action=decline');
      await expect(page.getByText('You have declined the invitation')).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page.getByText('There is a problem')).toBeVisible();
      await expectAccessibleInBothSchemes(page);
    });

    for (const [path, heading] of guestScreens)
      test(`${path}, for guests, is accessible and does not scroll sideways`, async ({ page }) => {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
        await expectLoaded(page);
        await expectNoSidewaysScroll(page, path);
        await expectAccessibleInBothSchemes(page);
      });

    for (const [name, path, heading] of screens)
      test(`${name} is accessible and does not scroll sideways`, async ({ logIn }) => {
        const page = await logIn(people.admin, path);
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
        await expectLoaded(page);
        await expectNoSidewaysScroll(page, path);
        await expectAccessibleInBothSchemes(page);
      });
  });
}

test('everything fits on a screen of 320 px', async ({ page, logIn }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const [path] of guestScreens) {
    await page.goto(path);
    await expectLoaded(page);
    await expectNoSidewaysScroll(page, path);
  }
  for (const [, path] of screens) {
    await logIn(people.admin, path);
    await expectLoaded(page);
    await expectNoSidewaysScroll(page, path);
  }
});
