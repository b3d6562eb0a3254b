import type { Page } from '@playwright/test';
import { chooseFrom, expect, expectLoaded, people, test, tickBox } from './portal.ts';
import { boxFaults, layoutFaults } from './layout.ts';
import { nameEverythingLong, names } from './long-names.ts';
import { addOperator, logInAsOperator } from './school.ts';
import { adminScreens, operatorScreens } from './screen-list.ts';

// It renames the demonstration schools, so it has a portal that no other journey uses.
test.use({ demoCopy: 'long names' });

const SIZES = [
  { width: 1280, height: 900 },
  { width: 768, height: 1024 },
  { width: 320, height: 640 },
];

/** A4 without margins of 15 mm, at 96 px an inch. */
const PAPER = { width: 680, height: 1009 };

/** Checks a part of the page at every size. */
async function expectFits(page: Page, name: string, part = 'body, dialog[open]'): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expect
      .configure({ soft: true, message: `${name} at ${size.width} px` })
      .poll(async () => [...(await page.evaluate(layoutFaults)), ...(await page.evaluate(boxFaults, part))])
      .toEqual([]);
  }
  await page.setViewportSize(SIZES[0]!);
}

async function expectScreensFit(page: Page, screens: readonly (readonly [name: string, path: string, ...unknown[]])[]) {
  for (const [name, path] of screens)
    await test.step(name, async () => {
      await page.goto(path);
      await expectLoaded(page);
      await expectFits(page, name);
    });
}

test('names of the longest length without a space fit every screen, menu and dialog', async ({
  logIn,
  page,
  portal,
}) => {
  await logIn(people.admin, '/account');
  const { screens, guestScreens } = await nameEverythingLong(portal);
  await expectScreensFit(page, [...adminScreens, ...screens]);

  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const ofPupil = `Actions for ${names.pupil}`;
  const ofClass = `More to do with ${names.class}`;
  const tick = () => tickBox(page.getByRole('checkbox', { name: `Select ${names.pupil}` }));
  const withTick = (open: () => Promise<unknown>) => () => tick().then(open);
  const menus: [name: string, path: string, open: () => Promise<unknown>][] = [
    ['menu of a pupil', '/pupils', () => page.getByLabel(ofPupil, { exact: true }).click()],
    ['menu of a class', '/classes', () => page.getByLabel(`Actions for ${names.class}`).click()],
    ['menu of a class page', '/classes/2', () => page.getByLabel(ofClass).click()],
    [
      'menu of a teacher',
      '/teachers',
      () => page.locator('main summary[aria-label^="Actions for Ateacher"]').first().click(),
    ],
    [
      'menu of an invitation',
      '/teachers',
      () => page.locator('main summary[aria-label^="Actions for invited"]').first().click(),
    ],
    ['classes shown', '/pupils', () => page.locator('summary', { hasText: /^Classes shown/ }).click()],
  ];
  const more = 'More actions for the selected pupils';
  const dialogs: typeof menus = [
    ['the finder', '/account', () => press(/^Find anything/).then(() => page.keyboard.type('Aaliyahwolfe'))],
    ['deletion of a class', '/classes', () => chooseFrom(page, `Actions for ${names.class}`, `Delete ${names.class}`)],
    ['name of a class', '/classes/2', () => chooseFrom(page, ofClass, 'Edit name')],
    ['teacher of a class', '/classes/2', () => chooseFrom(page, ofClass, 'Add teacher')],
    ['certificates of a class', '/classes/2', () => chooseFrom(page, ofClass, 'Certificate')],
    ['existing pupils', '/classes/3', () => press('Add existing pupils')],
    ['deletion of a pupil', '/pupils', () => chooseFrom(page, ofPupil, `Delete ${names.pupil}`)],
    ['password of a pupil', '/pupils', () => chooseFrom(page, ofPupil, `Reset password of ${names.pupil}`)],
    ['move of pupils', '/pupils', withTick(() => press('Change Class'))],
    ['passwords of pupils', '/pupils', withTick(() => press('Reset Passwords'))],
    ['books for pupils', '/pupils', withTick(() => chooseFrom(page, more, 'Assign books'))],
    ['tags of pupils', '/pupils', withTick(() => chooseFrom(page, more, 'Tags'))],
    ['removal from a class', '/pupils', withTick(() => chooseFrom(page, more, 'Remove from class'))],
    ['deletion of pupils', '/pupils', withTick(() => chooseFrom(page, more, 'Delete'))],
    ['name of a pupil', '/pupils/29', () => press('UPDATE PUPIL NAME')],
    ['new password', '/pupils/29', () => press('RESET PASSWORD')],
    ['removal of a note', '/pupils/29', () => press(/^Remove the note of/)],
    ['a book', '/classes/2/books', () => press(/^Book info/)],
  ];
  for (const [part, all] of [
    ['details[open]', menus],
    ['dialog[open]', dialogs],
  ] as const)
    for (const [name, path, open] of all)
      await test.step(name, async () => {
        await page.goto(path);
        await expectLoaded(page);
        await open();
        await expect(page.locator(part)).toBeVisible();
        await expectFits(page, name, part);
      });

  await test.step('paper', async () => {
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize(PAPER);
    for (const path of ['/', '/?class=2', '/classes/2', '/classes/2/pupils/29']) {
      await page.goto(path);
      await expectLoaded(page);
      await expect.soft(page.getByRole('heading', { level: 1 }), path).toBeVisible();
      // Charts are zoomed on paper, which the check for broken words does not know.
      const faults = (await page.evaluate(layoutFaults)).filter((fault) => fault.includes(' wider than '));
      expect.soft(faults, path).toEqual([]);
    }
    await page.emulateMedia({ media: null });
  });

  await test.step('toast', async () => {
    await page.goto('/classes/2');
    await expectLoaded(page);
    await chooseFrom(page, ofPupil, `Remove from class: ${names.pupil}`);
    await expect(page.getByText('The pupil has been removed from the class')).toBeVisible();
    await expectFits(page, 'toast', '[role="status"]:has([aria-label="Close message"])');
  });

  await page.context().clearCookies();
  await expectScreensFit(page, guestScreens);
  await logInAsOperator(page, await addOperator(portal, 'Olive Marsh'));
  await expectScreensFit(page, operatorScreens);
});
