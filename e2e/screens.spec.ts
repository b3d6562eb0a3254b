import type { Page } from '@playwright/test';
import {
  callApi,
  expect,
  expectAccessibleInBothSchemes,
  expectAccessibleInTheDark,
  expectLoaded,
  PASSWORD,
  people,
  test,
  tickBox,
} from './portal.ts';
import { sampled } from './breadth.ts';
import { addOperator, buildSchool } from './school.ts';
import { expectSoundLayout } from './layout.ts';
import {
  adminScreens,
  guestScreens,
  operatorScreens,
  listenForComplaints,
  listenForReads,
  type Screen,
} from './screen-list.ts';

/**
 * A desktop, a small laptop, a tablet in both ways, twice the size on the desktop, and two phones. axe looks at the first in the
 * light, with the dark's colours, and at a phone in the dark.
 */
const SIZES = [
  { width: 1280, height: 900, judge: expectAccessibleInBothSchemes },
  { width: 1366, height: 650 },
  { width: 1180, height: 820 },
  { width: 768, height: 1024 },
  { width: 640, height: 450 },
  { width: 375, height: 800, judge: expectAccessibleInTheDark },
  { width: 320, height: 640 },
];

/** Resizes the page and looks at it at every size. */
async function expectGoodAtEverySize(page: Page, path: string): Promise<void> {
  for (const { width, height, judge } of SIZES) {
    await page.setViewportSize({ width, height });
    await expectSoundLayout(page, path);
    await judge?.(page);
  }
}

async function expectSoundLayoutAtEverySize(page: Page, path: string): Promise<void> {
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    await expectSoundLayout(page, path);
  }
}

/** Opens the screens one after the other on one page, and looks at each at every size. The browser has nothing to say, and nothing to ask for. */
async function expectGoodScreens(page: Page, screens: Screen[]): Promise<void> {
  for (const [name, path, heading] of screens)
    await test.step(name, async () => {
      await page.setViewportSize(SIZES[0]!);
      const complaints = listenForComplaints(page);
      const reads = listenForReads(page, path);
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expectLoaded(page);
      expect.soft([...complaints.stop(), ...reads.stop()]).toEqual([]);
      await expectGoodAtEverySize(page, path);
    });
}

test('login is accessible, with its notice and with its errors', async ({ page }) => {
  await page.goto('/login?action=decline');
  await expect(page.getByText('You have declined the invitation')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('There is a problem')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 375, height: 900 });
  await expectAccessibleInBothSchemes(page);
});

test('screens of guests are accessible and fit every window', ({ page }) =>
  expectGoodScreens(page, sampled(guestScreens)));

test('screens of an operator are accessible and fit every window', async ({ page, portal }) => {
  await page.goto('/admin');
  await page.getByLabel('Email').fill(await addOperator(portal, 'Olive Marsh'));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Schools' })).toBeVisible();
  await expectGoodScreens(page, sampled(operatorScreens));
});

// In parts, so that the workers share them.
const PARTS = 4;
const parts = Array.from({ length: PARTS }, (_, part) =>
  sampled(adminScreens).filter((__, index) => index % PARTS === part),
);
for (const [index, part] of parts.entries())
  test(`screens of an admin are accessible and fit every window, part ${index + 1}`, async ({ logIn }) =>
    expectGoodScreens(await logIn(people.admin), part));

test('names of any length fit every window, in menus and dialogs too', async ({ logIn, portal }) => {
  const className = 'Year 4 Kingfishers and Owls with Mrs Ó Bé';
  const child = 'Wilhelmina-Featherstonehaugh Cholmondeley-Wriothesley-Beaucha';
  const { id, admin, token, classes, pupils } = await buildSchool(portal, {
    classes: { [className]: ['Nguyễn Thị Thảo Vy', child] },
    teacher: ['Aleksandra-Konstancja', 'Brzęczyszczykiewicz-Featherstonehaugh'],
  });
  const colleague = { email: ['konstantin.brzeczyszczykiewicz@oak-row-primary.example'], name: [child] };
  await callApi(portal, 'POST', `/enterprises/${id}/invites`, colleague, token);
  const page = await logIn(admin, '/account');
  const classPath = `/classes/${classes.get(className)}`;
  const open: Record<string, (() => Promise<unknown>) | undefined> = {
    '/teachers': () => page.getByLabel(/^Actions for Aleksandra/).click(),
    '/classes': () => page.getByLabel(`Actions for ${className}`).click(),
    [classPath]: () => tickBox(page.getByRole('checkbox', { name: `Select ${child}` })),
    [`/pupils/${pupils.get(child)}`]: () => page.getByRole('button', { name: 'RESET PASSWORD' }).click(),
    '/': () => page.keyboard.press('Control+k'),
  };
  for (const path of ['/pupils', `${classPath}/books`, '/school', ...Object.keys(open)])
    await test.step(path, async () => {
      await page.setViewportSize(SIZES[0]!);
      await page.goto(path);
      await expectLoaded(page);
      await open[path]?.();
      await expectSoundLayoutAtEverySize(page, path);
    });
});
