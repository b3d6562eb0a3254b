import type { Page, Route } from '@playwright/test';
import { expect, expectLoaded, expectPartAccessible, people, test, tickBox } from './portal.ts';
import { sampled } from './breadth.ts';
import { buildSchool } from './school.ts';

const openArea = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

test('screens are accessible while loading and after an error', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  await expectLoaded(page);
  const main = page.getByRole('main');
  const title = page.getByRole('heading', { level: 1 });
  let server: 'answers' | 'is late' | 'fails' = 'answers';
  const pausedRoutes: Route[] = [];
  await page.route(/\/v1\//, async (route) => {
    if (server === 'is late') pausedRoutes.push(route);
    else await (server === 'fails' ? route.abort() : route.continue());
  });
  const hold = () => (server = 'is late');
  const release = async () => {
    server = 'answers';
    for (const route of pausedRoutes.splice(0)) await route.continue();
    await expectLoaded(page);
  };

  await test.step('a screen is loading', async () => {
    hold();
    await openArea(page, 'Pupils');
    await expect(page.locator('[role="progressbar"]')).toBeVisible();
    await expectPartAccessible(page, 'body');
    await release();
    await expect(title).toHaveText('Pupils');
  });
  await test.step('rows in another order are loading', async () => {
    hold();
    await page.getByRole('columnheader', { name: 'Last read' }).getByRole('link').click();
    await expect(main.locator('[data-stale]').first()).toBeVisible();
    await expectPartAccessible(page, 'main');
    await release();
  });
  await test.step('the figures of a class are loading', async () => {
    await openArea(page, 'Dashboard');
    await expect(title).toHaveText('Dashboard');
    await expectLoaded(page);
    hold();
    await page.getByLabel('Class', { exact: true }).selectOption({ index: 1 });
    await expect(main.locator('[data-stale]').first()).toBeVisible();
    await expectPartAccessible(page, 'main');
    await release();
  });

  await openArea(page, 'My details');
  await page.reload();
  await expectLoaded(page);
  server = 'fails';
  for (const area of sampled(['Pupils', 'Teachers', 'School', 'Subscription', 'Dashboard']))
    await test.step(`${area} has failed`, async () => {
      await openArea(page, area);
      await expect(title).toHaveText(area);
      await expectLoaded(page);
      await expect(page.getByText('Error: Network Error').first()).toBeVisible();
      await expectPartAccessible(page, 'main');
    });
});

test('screens of an empty school, and forms submitted empty, are accessible', async ({ logIn, portal }) => {
  const { admin, classes } = await buildSchool(portal, { classes: { 'Year 3 Otters': [] } });
  const page = await logIn(admin, '/account');
  const classPath = `/classes/${classes.get('Year 3 Otters')}`;
  for (const path of sampled(['/', '/pupils', '/pupils/archive', classPath, '/year-end', '/teachers']))
    await test.step(path, async () => {
      await page.goto(path);
      await expectLoaded(page);
      await expectPartAccessible(page, 'main');
    });
  const forms = {
    '/edit-school': 'Save',
    '/add-teacher': 'Send invitations',
    '/account': 'Submit',
    '/contact': 'Send message',
  };
  for (const [path, action] of sampled(Object.entries(forms)))
    await test.step(`${path}, sent empty`, async () => {
      await page.goto(path);
      await expectLoaded(page);
      const main = page.getByRole('main');
      for (const field of await main.getByRole('textbox').all()) await field.fill('');
      await main.getByRole('button', { name: action, exact: true }).click();
      await expect(main.getByRole('heading', { name: 'There is a problem' })).toBeVisible();
      await expectPartAccessible(page, 'main');
    });
});

/** Popovers by page and button, and the checkbox to tick first. */
const OPENINGS: Record<string, (string | RegExp | { tick: RegExp; name: string })[]> = {
  '/pupils/29': [/^About /, /^Dates: /],
  '/pupils?search=owusu': [
    /^Classes shown: /,
    'Download the pupils shown',
    /^Actions for /,
    { tick: /^Select [A-Z]/, name: 'More actions for the selected pupils' },
  ],
  '/teachers': [/^Actions for /],
  '/classes': [/^Actions for /],
  '/classes/2': [/^More to do with /],
};

test('menus and popovers are accessible', { tag: '@touch' }, async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  const open = page.locator('details[open]');
  for (const [path, openings] of Object.entries(OPENINGS))
    await test.step(path, async () => {
      await page.goto(path);
      await expectLoaded(page);
      for (const opening of openings) {
        const { name, tick } =
          typeof opening === 'object' && 'tick' in opening ? opening : { name: opening, tick: undefined };
        if (tick) await tickBox(page.getByRole('checkbox', { name: tick }).first());
        const buttons = page.locator('summary');
        await buttons
          .and(page.getByLabel(name))
          .or(buttons.filter({ hasText: name }))
          .first()
          .click();
        await expect(open).toBeVisible();
        await expectPartAccessible(page, 'details[open]');
        await page.keyboard.press('Escape');
        await expect(open).toHaveCount(0);
      }
    });
  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  await expectPartAccessible(page, 'dialog[open]');
});
