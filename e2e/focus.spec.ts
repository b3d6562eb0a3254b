import type { Locator, Page } from '@playwright/test';
import {
  callApi,
  chooseFrom,
  expect,
  expectListening,
  expectLoaded,
  expectPartAccessible,
  type Fixtures,
  people,
  test,
  tickBox,
} from './portal.ts';
import { sampled } from './breadth.ts';
import { addOperator, buildSchool, logInAsOperator } from './school.ts';
import type { Portal } from './server.ts';

const CLASS = 'Year 3 Otters';
const TEACHER = 'Rhodri Penhale';

type Opening = [path: string, opener: (page: Page) => Locator, open?: (page: Page) => Promise<unknown>];

const byName = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first();

/** Every dialog: its page, the element that has focus before and after it, and how to open it if one click is not enough. */
const openings = (school: {
  classPage: string;
  pupilPage: string;
  menu: string;
  invited: string;
}): Record<string, Opening> => {
  const menu = (label: string) => (page: Page) => page.getByLabel(label, { exact: true });
  const item = (label: string, action: string) => (page: Page) => chooseFrom(page, label, action);
  const more = `More to do with ${CLASS}`;
  const ofChosen = 'More actions for the selected pupils';
  /** Opens an action for selected pupils. */
  const withOneChosen = (press: (page: Page) => Promise<unknown>) => async (page: Page) => {
    await tickBox(page.getByRole('checkbox', { name: `Select ${school.menu}` }));
    await press(page);
  };
  const choose = (name: string): Opening => [
    '/pupils',
    byName(name),
    withOneChosen((page) => byName(name)(page).click()),
  ];
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
    'the password of a pupil in the list': [
      '/pupils',
      menu(`Actions for ${school.menu}`),
      item(`Actions for ${school.menu}`, `Reset password of ${school.menu}`),
    ],
    'a move of selected pupils': choose('Change Class'),
    'passwords of selected pupils': choose('Reset Passwords'),
    'books for selected pupils': ['/pupils', menu(ofChosen), withOneChosen(item(ofChosen, 'Assign books'))],
    'removal of selected pupils': ['/pupils', menu(ofChosen), withOneChosen(item(ofChosen, 'Remove from class'))],
    'deletion of selected pupils': ['/pupils', menu(ofChosen), withOneChosen(item(ofChosen, 'Delete'))],
    'a response to a reason': [
      school.classPage,
      byName(`Done: ${school.menu}`),
      async (page) => {
        const done = byName(`Done: ${school.menu}`)(page);
        if (!(await done.isVisible())) await page.locator('summary', { hasText: /needs? you/ }).click();
        await done.click();
      },
    ],
    'new passwords of a class': [
      school.classPage,
      byName('Reset Passwords'),
      withOneChosen((page) => byName('Reset Passwords')(page).click()),
    ],
    'the year end': ['/year-end', byName('Apply the year-end changes')],
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
    'deletion of an invitation': [
      '/teachers',
      menu(`Actions for ${school.invited}`),
      item(`Actions for ${school.invited}`, `Delete the invitation to ${school.invited}`),
    ],
    'a book': [`${school.classPage}/books`, byName(/^Book info/)],
    'the pages of a book': [`${school.classPage}/books`, byName(/^Preview/)],
    'a note': [school.pupilPage, byName('Add a note')],
    'removal of a note': [school.pupilPage, byName(/^Remove the note of/)],
    'total reading time': [school.pupilPage, byName(/total reading time/i)],
    'term dates': ['/school', byName('Change term dates')],
    'who is on the list': ['/school', byName('Change who is on the list')],
    'a video': ['/videoguides', byName(/^See how a class reads/)],
  };
};

/** Opens each dialog, checks it, and closes it with Escape and with its button. */
async function expectGoodDialogs(page: Page, all: Record<string, Opening>, origin: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  for (const [name, [path, opener, open]] of sampled(Object.entries(all)))
    await test.step(name, async () => {
      const address = new URL(path, origin).href;
      if (page.url() !== address) await page.goto(path);
      await expectLoaded(page);
      const start = () => (open ? open(page) : opener(page).click());
      await start();
      await expect(dialog).toBeVisible();
      await expectPartAccessible(page, 'dialog[open]');
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(opener(page)).toBeFocused();
      await start();
      await dialog
        .getByRole('button', { name: /^(Cancel|Close|Later)$/ })
        .first()
        .click();
      await expect(dialog).toHaveCount(0);
      await expect(opener(page)).toBeFocused();
    });
}

// In parts, so that workers can share them.
const PARTS = 2;

async function expectGoodDialogsOfAdmin(logIn: Fixtures['logIn'], portal: Portal, part: number): Promise<void> {
  const { id, admin, token, classes, pupils } = await buildSchool(portal, {
    classes: { [CLASS]: ['Abena Owusu-Mensah', 'Tilly Marsh'] },
    teacher: ['Rhodri', 'Penhale'],
  });
  const invited = 'newcomer@oak-row-primary.example';
  const pupil = pupils.get('Tilly Marsh');
  await callApi(portal, 'POST', `/enterprises/${id}/invites`, { email: [invited], name: ['Nia Newcomer'] }, token);
  await callApi(portal, 'POST', `/enterprises/${id}/readers/${pupil}/notes`, { text: 'Likes foxes' }, token);
  const page = await logIn(admin, '/account');
  const all = openings({
    classPage: `/classes/${classes.get(CLASS)}`,
    pupilPage: `/pupils/${pupil}`,
    menu: 'Tilly Marsh',
    invited,
  });
  const dialogs = Object.entries(all);
  const length = Math.ceil(dialogs.length / PARTS);
  await expectGoodDialogs(page, Object.fromEntries(dialogs.slice(part * length, (part + 1) * length)), portal.url);
}

for (let part = 0; part < PARTS; part += 1)
  test(`each dialog is accessible and returns focus when closed with Escape or a button, part ${part + 1}`, ({
    logIn,
    portal,
  }) => expectGoodDialogsOfAdmin(logIn, portal, part));

test('each dialog of an operator is accessible and returns focus', async ({ page, portal }) => {
  await logInAsOperator(page, await addOperator(portal, 'Olive Marsh'));
  await expectGoodDialogs(
    page,
    {
      'a new package': ['/admin/packages', byName('Add a package')],
      'a reading level': ['/admin/levels', byName('Change level 1')],
      'a package that is offered': ['/admin/packages', byName(/^Change /)],
      'an invoice': ['/admin/invoices?status=all', byName(/^(?:Settle|Credit) /)],
      'a package for one school': ['/admin/schools/1', byName('Grant a custom package')],
      'log in as a member of staff': ['/admin/schools/1', byName(/^Log in as /)],
    },
    portal.url,
  );
});

test('the offer of an update is accessible and returns focus', async ({ logIn, page, portal }) => {
  // Journeys run a development stage, which does not watch for new versions.
  await page.addInitScript(() => {
    let settings: object;
    Object.defineProperty(globalThis, '__PORTAL__', {
      get: () => settings,
      set(given: object) {
        settings = { ...given, stage: 'production' };
      },
    });
  });
  await logIn(people.admin, '/account');
  await expectLoaded(page);
  await expectListening(page);
  let version = 0;
  await page.route(/\/version\.json/, (route) => route.fulfill({ json: { hash: `newer-${version}` } }));
  const field = page.getByLabel('First name');
  const offer = async () => {
    version += 1;
    await field.focus();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
  };
  await expectGoodDialogs(page, { 'an update': ['/account', () => field, offer] }, portal.url);
});

test('after removing a row, focus is on the row that takes its place', async ({ logIn, portal }) => {
  const names = ['Abena Owusu-Mensah', 'Charlie Oakden', 'Tilly Marsh'];
  const { admin, classes } = await buildSchool(portal, { classes: { [CLASS]: names } });
  const page = await logIn(admin, `/classes/${classes.get(CLASS)}`);
  const link = (name: string) => page.getByRole('table').getByRole('link', { name, exact: true });

  await test.step('without confirmation', async () => {
    await chooseFrom(page, 'Actions for Charlie Oakden', 'Remove from class: Charlie Oakden');
    await expect(page.getByText('The pupil has been removed from the class')).toContainText('Charlie Oakden');
    await expect(link('Charlie Oakden')).toHaveCount(0);
    await expect(link('Tilly Marsh')).toBeFocused();
  });
  await test.step('and on the restored row after Undo', async () => {
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(link('Charlie Oakden')).toBeVisible();
    await expect(link('Tilly Marsh')).toBeFocused();
  });
  await test.step('after confirmation', async () => {
    await page.goto('/pupils');
    await chooseFrom(page, 'Actions for Charlie Oakden', 'Delete Charlie Oakden');
    await page.getByRole('button', { name: 'Delete pupil' }).click();
    await expect(page.getByText('Charlie Oakden has been deleted')).toBeVisible();
    await expect(link('Tilly Marsh')).toBeFocused();
  });
  await test.step('Ctrl-Z undoes it, but not in a text field, which has its own undo', async () => {
    await page.getByRole('searchbox').press('Control+z');
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
    await link('Tilly Marsh').press('Control+z');
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
    await expect(link('Charlie Oakden')).toBeVisible();
    await expect(link('Tilly Marsh')).toBeFocused();
  });
});

test('a new page of a table starts at its top, a new screen at its heading', async ({ logIn }) => {
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

test('the dates can be chosen with the keyboard alone', async ({ logIn }) => {
  const page = await logIn(people.admin, '/');
  await expectListening(page);
  const dates = page.locator('summary', { hasText: /^Dates:/ });
  const panel = page.getByRole('group', { name: 'Choose dates' });
  const preset = (name: string) => panel.getByRole('link', { name, exact: true });

  await test.step('a preset is chosen with Enter, which closes the panel', async () => {
    await dates.press('Enter');
    await page.keyboard.press('Tab');
    await expect(preset('Today')).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(preset('Last 7 days')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(panel).toBeHidden();
    await expect(dates).toContainText('Last 7 days');
    await expect(dates).toBeFocused();
  });
  await test.step('a rejected range stays open with the reason', async () => {
    await page.keyboard.press('Space');
    await expect(panel).toBeVisible();
    await panel.getByLabel('From').focus();
    await page.keyboard.type('05052025');
    await panel.getByLabel('To').focus();
    await page.keyboard.type('04042025');
    await page.keyboard.press('Enter');
    await expect(panel.getByRole('alert')).toHaveText('The end date must be on or after the start date.');
  });
  await test.step('two dates are typed and apply with Enter', async () => {
    // The caret is in the year.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('06062025');
    await page.keyboard.press('Enter');
    await expect(panel).toBeHidden();
    await expect(dates).toContainText('5 May 2025 to 6 June 2025');
    await expect(dates).toBeFocused();
  });
  await test.step('Escape and leaving the panel close it', async () => {
    await page.keyboard.press('Enter');
    await expect(panel).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(preset('Today')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(dates).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(panel).toBeVisible();
    await panel.getByRole('button', { name: 'Apply' }).focus();
    await page.keyboard.press('Tab');
    await expect(panel).toBeHidden();
  });
});
