import type { Locator, Page } from '@playwright/test';
import { chooseFrom, expect, expectListening, expectLoaded, expectPartAccessible, people, test } from './portal.ts';
import { buildSchool } from './school.ts';

const CLASS = 'Year 3 Otters';
const TEACHER = 'Rhodri Penhale';

type Opening = [path: string, opener: (page: Page) => Locator, open?: (page: Page) => Promise<unknown>];

/** Every dialog: where it is, what has the focus before and after it, and how it opens where that is not one press. */
const openings = (school: { classPage: string; pupilPage: string; menu: string }): Record<string, Opening> => {
  const byName = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first();
  const menu = (label: string) => (page: Page) => page.getByLabel(label, { exact: true });
  const item = (label: string, action: string) => (page: Page) => chooseFrom(page, label, action);
  const more = `More to do with ${CLASS}`;
  return {
    'the finder': ['/account', byName(/^Find anything/)],
    'a new class': ['/classes', byName('Add Class')],
    'deletion of a class in the list': [
      '/classes',
      menu(`Actions for ${CLASS}`),
      item(`Actions for ${CLASS}`, `Delete ${CLASS}`),
    ],
    'the name of a class': [school.classPage, menu(more), item(more, 'Edit name')],
    'the teacher of a class': [school.classPage, menu(more), item(more, 'Assign teacher')],
    'certificates of a class': [school.classPage, menu(more), item(more, 'Certificate')],
    'deletion of a class': [school.classPage, menu(more), item(more, 'Delete class')],
    'existing pupils': [school.classPage, byName('Add existing pupils')],
    'deletion of a pupil': [
      '/pupils',
      menu(`Actions for ${school.menu}`),
      item(`Actions for ${school.menu}`, `Delete ${school.menu}`),
    ],
    'a new login card': [
      '/pupils',
      menu(`Actions for ${school.menu}`),
      item(`Actions for ${school.menu}`, `New login card for ${school.menu}`),
    ],
    'the name of a pupil': [school.pupilPage, byName('UPDATE PUPIL NAME')],
    'a new password': [school.pupilPage, byName('RESET PASSWORD')],
    'a certificate': [school.pupilPage, byName('Certificate')],
    permissions: ['/teachers', byName('View Permissions')],
    promotion: ['/teachers', menu(`Actions for ${TEACHER}`), item(`Actions for ${TEACHER}`, `Promote ${TEACHER}`)],
    'deletion of a teacher': [
      '/teachers',
      menu(`Actions for ${TEACHER}`),
      item(`Actions for ${TEACHER}`, `Delete ${TEACHER}`),
    ],
    'a book': [`${school.classPage}/books`, byName(/^Book info/)],
    'the pages of a book': [`${school.classPage}/books`, byName(/^Preview/)],
    'a note': [school.pupilPage, byName('Add a note')],
    'total reading time': [school.pupilPage, byName(/Total Reading Time/)],
    'term dates': ['/school', byName('Change term dates')],
    'who is on the list': ['/school', byName('Change who is on the list')],
    'a video': ['/videoguides', byName(/^See how a class reads/)],
  };
};

test('each dialog is accessible, and after it the focus is where it was before, by Escape and by a button', async ({
  logIn,
  portal,
}) => {
  const { admin, classes, pupils } = await buildSchool(portal, {
    classes: { [CLASS]: ['Abena Owusu-Mensah', 'Tilly Marsh'] },
    teacher: ['Rhodri', 'Penhale'],
  });
  const page = await logIn(admin, '/account');
  const dialog = page.getByRole('dialog');
  const all = openings({
    classPage: `/classes/${classes.get(CLASS)}`,
    pupilPage: `/pupils/${pupils.get('Tilly Marsh')}`,
    menu: 'Tilly Marsh',
  });
  for (const [name, [path, opener, open]] of Object.entries(all))
    await test.step(name, async () => {
      const address = new URL(path, portal.url).href;
      if (page.url() !== address) await page.goto(path);
      await expectLoaded(page);
      const start = () => (open ? open(page) : opener(page).click());
      await start();
      await expect(dialog).toBeVisible();
      await expectPartAccessible(page, '[role="dialog"]');
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(opener(page)).toBeFocused();
      await start();
      await dialog
        .getByRole('button', { name: /^(Cancel|Close)$/ })
        .first()
        .click();
      await expect(dialog).toHaveCount(0);
      await expect(opener(page)).toBeFocused();
    });
});

test('after a removal the focus is on the row that came in its place', async ({ logIn, portal }) => {
  const names = ['Abena Owusu-Mensah', 'Charlie Oakden', 'Tilly Marsh'];
  const { admin, classes } = await buildSchool(portal, { classes: { [CLASS]: names } });
  const page = await logIn(admin, `/classes/${classes.get(CLASS)}`);
  const link = (name: string) => page.getByRole('table').getByRole('link', { name, exact: true });

  await test.step('without a question', async () => {
    await chooseFrom(page, 'Actions for Charlie Oakden', 'Remove from class: Charlie Oakden');
    await expect(page.getByText('The pupil has been removed from the class')).toContainText('Charlie Oakden');
    await expect(link('Charlie Oakden')).toHaveCount(0);
    await expect(link('Tilly Marsh')).toBeFocused();
  });
  await test.step('and there again after Undo', async () => {
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(link('Charlie Oakden')).toBeVisible();
    await expect(link('Tilly Marsh')).toBeFocused();
  });
  await test.step('after a question', async () => {
    await page.goto('/pupils');
    await chooseFrom(page, 'Actions for Charlie Oakden', 'Delete Charlie Oakden');
    await page.getByRole('button', { name: 'Delete pupil' }).click();
    await expect(page.getByText('Charlie Oakden has been deleted')).toBeVisible();
    await expect(link('Tilly Marsh')).toBeFocused();
  });
  await test.step('Ctrl-Z takes it back, but not in a field, which has its own', async () => {
    await page.getByRole('searchbox').press('Control+z');
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
    await link('Tilly Marsh').press('Control+z');
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
    await expect(link('Charlie Oakden')).toBeVisible();
    await expect(link('Tilly Marsh')).toBeFocused();
  });
});

test('another page of a table is read from its top; another screen from its heading', async ({ logIn }) => {
  const page = await logIn(people.admin, '/pupils');
  await expectListening(page);
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(page.getByText(/^51 to \d+ of \d+ pupils$/)).toBeVisible();
  await expect(page.locator('[data-focus-home]')).toBeFocused();
  await expect(page.getByRole('columnheader', { name: 'Name', exact: true })).toBeInViewport();
  await page.goBack();
  await expect(page.getByText(/^1 to 50 of \d+ pupils$/)).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Classes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Classes' })).toBeFocused();
});
