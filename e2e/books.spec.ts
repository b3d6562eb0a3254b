import type { ReplyOf } from '#contract/call.ts';
import type { accessCalls } from '#contract/calls/access.ts';
import type { classCalls } from '#contract/calls/classes.ts';
import type { readingCalls } from '#contract/calls/reading.ts';
import type { schoolCalls } from '#contract/calls/school.ts';
import type { Page, Response } from '@playwright/test';
import sharp from 'sharp';
import { expectSoundLayout } from './layout.ts';
import {
  callApi,
  chooseFrom,
  expect,
  expectAccessible,
  expectLoaded,
  people,
  test,
  tickBox,
  tokenOf,
} from './portal.ts';
import { buildSchool } from './school.ts';

const card = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title }).first();
/** Without a mouse, the book's info has the action. */
const press = async (page: Page, title: string, words: string) => {
  await card(page, title).hover();
  const button = card(page, title).getByRole('button', { name: `${words}: ${title}` });
  if (await button.isVisible()) return button.click();
  await card(page, title)
    .getByRole('button', { name: `Book info: ${title}` })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: words }).click();
};

/** Books whose badge lies over one of their visible buttons. */
const coveredButtons = (page: Page) =>
  page.locator('[data-book]').evaluateAll((cards) =>
    cards.flatMap((item) => {
      const badge = [...item.querySelectorAll('span')].find(({ textContent }) =>
        ['Assigned', 'Through class'].includes(textContent),
      );
      if (!badge) return [];
      const { left, right, top, bottom } = badge.getBoundingClientRect();
      const isOver = [...item.querySelectorAll('button')].some((button) => {
        const box = button.getBoundingClientRect();
        // A button without a face is the whole cover.
        const hasFace = getComputedStyle(button).backgroundColor !== 'rgba(0, 0, 0, 0)';
        const isSeen = button.checkVisibility({ checkOpacity: true }) && hasFace;
        return isSeen && box.left < right && left < box.right && box.top < bottom && top < box.bottom;
      });
      return isOver ? [item.textContent] : [];
    }),
  );

/** The titles of the collections in order, each before its number of books. */
const COLLECTIONS = [
  /^EduBrisk Titles \d+$/,
  /^Fonetti Titles \d+$/,
  /^Poems and stories by Christina Gabbitas \d+$/,
  /^The Villes by Martin Roberts \d+$/,
  /^Various Authors \d+$/,
  /^Cornerstones \d+$/,
  /^Additional Titles \d+$/,
];

/** Books that are neither to the right of the previous one nor below it. */
const outOfOrder = (page: Page) =>
  page.locator('[data-book]').evaluateAll((cards) =>
    cards.flatMap((item, index) => {
      const previous = cards[index - 1]?.getBoundingClientRect();
      const { left, top } = item.getBoundingClientRect();
      const isNext = !previous || top >= previous.bottom || (top === previous.top && left >= previous.right);
      return isNext ? [] : [item.textContent];
    }),
  );

/** Short collections share a row on a wide screen, and each has its own on a phone. */
const countRows = (page: Page) =>
  page
    .locator('[data-book]')
    .evaluateAll((cards) => new Set(cards.map((item) => item.getBoundingClientRect().top)).size);

test('books are assigned to a class and removed again', { tag: '@touch' }, async ({ hasTouch, logIn, portal }) => {
  const { admin, classes } = await buildSchool(portal, { classes: { 'Year 3 Otters': ['Tilly Marsh'] } });
  const page = await logIn(admin, `/classes/${classes.get('Year 3 Otters')}`);
  expect(await page.evaluate(() => matchMedia('(hover: none)').matches)).toBe(hasTouch);
  await page.getByRole('link', { name: 'Manage books', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Books of Year 3 Otters' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(COLLECTIONS);

  await test.step('search, level and filter are in the URL, and keep the titles of the collections', async () => {
    await page.getByLabel('Search for a book').fill('pUp');
    await expect(page.getByText('1 of 54 books on view')).toBeVisible();
    await expect(page).toHaveURL(/search=pUp/);
    await page.reload();
    await expect(page.getByLabel('Search for a book')).toHaveValue('pUp');
    await page.getByLabel('Reading Levels from').selectOption('2');
    await expect(page.getByText('No books match.')).toBeVisible();
    await page.getByRole('button', { name: 'Show all books' }).click();
    await page.getByLabel('Reading Levels from').selectOption('6');
    await expect(page.getByLabel('Reading Levels to').locator('option[value="5"]')).toBeDisabled();
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(COLLECTIONS);
    await expect(card(page, 'The Wet Pup')).toBeHidden();
    expect(await outOfOrder(page)).toEqual([]);
    expect(await countRows(page)).toBe(2);
    const size = page.viewportSize();
    await page.setViewportSize({ width: 375, height: 800 });
    await expect.poll(() => countRows(page)).toBe(COLLECTIONS.length);
    expect(await outOfOrder(page)).toEqual([]);
    if (size) await page.setViewportSize(size);
  });

  await test.step('all books on view are assigned, and the filter shows only those', async () => {
    await page.getByRole('button', { name: 'Assign all on view' }).click();
    await expect(page.getByText(/^\d+ books assigned to Year 3 Otters$/)).toBeVisible();
    await expect(page.getByText(/on view, all assigned$/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Assign all on view' })).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('link', { name: 'Only Assigned' }).click();
    await expect(card(page, 'Eleven Kilometres Under')).toContainText('Assigned');
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(COLLECTIONS);
    expect(await coveredButtons(page)).toEqual([]);
    await page.getByLabel('Reading Levels from').selectOption('1');
    await page.getByRole('link', { name: 'Only Unassigned' }).click();
    await expect(card(page, 'Eleven Kilometres Under')).toBeHidden();
    await page.getByRole('link', { name: 'All books', exact: true }).click();
  });

  await test.step('a change that the server rejects is reverted, with a message', async () => {
    await page.route('**/groups/*/books/101', (route) => route.abort());
    await press(page, 'The Wet Pup', 'Assign to class');
    await expect(page.getByRole('alert')).toContainText('Error: Network Error');
    await expect(card(page, 'The Wet Pup')).not.toContainText('Assigned');
    await page.unrouteAll();
    await press(page, 'The Wet Pup', 'Assign to class');
    await expect(card(page, 'The Wet Pup')).toContainText('Remove from class');
  });

  await test.step('a removal asks for confirmation once in 5 minutes', async () => {
    await page.clock.install();
    await press(page, 'The Wet Pup', 'Remove from class');
    const dialog = page.getByRole('dialog', { name: 'Remove The Wet Pup from Year 3 Otters?' });
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(card(page, 'The Wet Pup')).toContainText('Remove from class');
    await press(page, 'The Wet Pup', 'Remove from class');
    await dialog.getByRole('button', { name: 'Remove from class' }).click();
    await expect(card(page, 'The Wet Pup')).toContainText('Assign to class');
    await expect(dialog).toBeHidden();
    await press(page, 'The Wet Pup', 'Assign to class');
    await press(page, 'The Wet Pup', 'Remove from class');
    await expect(card(page, 'The Wet Pup')).toContainText('Assign to class');
    await expect(dialog).toBeHidden();
    await page.clock.fastForward('05:01');
    await page.getByRole('button', { name: 'Remove all on view' }).click();
    const bulk = page.getByRole('dialog', { name: /^Remove \d+ books from Year 3 Otters\?$/ });
    await bulk.getByRole('button', { name: 'Remove from class' }).click();
    await expect(page.getByText(/^\d+ books removed from Year 3 Otters$/)).toBeVisible();
  });

  await test.step('book info and preview open, and the preview works with the keyboard', async () => {
    await press(page, 'The Wet Pup', 'Book info');
    const info = page.getByRole('dialog', { name: 'The Wet Pup' });
    await expect(info).toContainText('Pip the pup jumps in the tub');
    await expect(info.getByRole('list', { name: 'Tags' })).toContainText('Phonics');
    await expect(info).toContainText('Level 1');
    await page.keyboard.press('Escape');
    await press(page, 'The Wet Pup', 'Preview book');
    const preview = page.getByRole('dialog', { name: 'The Wet Pup' });
    await expect(preview).toContainText('Cover');
    await preview.getByRole('button', { name: 'Next' }).press('ArrowRight');
    await expect(preview).toContainText('Page 1 of 9');
    await expect(preview).toContainText('Pip is a pup.');
    const size = page.viewportSize()!;
    for (const width of [375, 320]) {
      await page.setViewportSize({ width, height: 640 });
      await expectSoundLayout(page, 'the preview');
    }
    await page.setViewportSize(size);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(preview).toBeHidden();
    const opener = card(page, 'The Wet Pup').getByRole('button', { name: 'Preview book: The Wet Pup' });
    if (!hasTouch) await expect(opener).toBeFocused();
  });
});

test('books can be assigned to one pupil in addition to the class’s', { tag: '@touch' }, async ({ logIn, portal }) => {
  const school = await buildSchool(portal, { classes: { 'Year 3 Otters': ['Tilly Marsh'] } });
  const [classId, pupilId] = [school.classes.get('Year 3 Otters'), school.pupils.get('Tilly Marsh')];
  const path = `/enterprises/${school.id}/groups/${classId}/books`;
  await callApi(portal, 'POST', path, { book_ids: [101] }, school.token);
  const page = await logIn(school.admin, `/classes/${classId}/pupils/${pupilId}/books`);
  await expect(page.getByRole('heading', { level: 1, name: 'Tilly Marsh' })).toBeVisible();
  const pup = card(page, 'The Wet Pup');
  await pup.hover();
  await expect(pup).toContainText('This book is assigned through class');
  await expect(pup.getByRole('button', { name: /^(Remove|Assign)/ })).toHaveCount(0);
  await press(page, 'Meg Can Fix It', 'Assign to pupil');
  await expect(card(page, 'Meg Can Fix It')).toContainText('Remove from pupil');
  await expectAccessible(page);

  // The command palette searches the library of the current pupil.
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').fill('fix it');
  await dialog.getByRole('option', { name: /Meg Can Fix It/ }).click();
  await expect(page).toHaveURL(/\/books\?search=Meg/);
  await expect(page.getByText('1 of 54 books on view')).toBeVisible();
  await expect(card(page, 'Meg Can Fix It')).toContainText('Remove from pupil');
});

test(
  'books are assigned to the selected pupils of a class, and taken back',
  { tag: '@touch' },
  async ({ logIn, portal }) => {
    const { admin, classes } = await buildSchool(portal, { classes: { 'Year 3 Otters': ['Tilly Marsh', 'Uma Reed'] } });
    const page = await logIn(admin, `/classes/${classes.get('Year 3 Otters')}`);
    for (const name of ['Tilly Marsh', 'Uma Reed'])
      await tickBox(page.getByRole('checkbox', { name: `Select ${name}` }));
    await chooseFrom(page, 'More actions for the selected pupils', 'Assign books');
    const dialog = page.getByRole('dialog', { name: 'Books for 2 pupils' });
    await expect(dialog.getByRole('button', { name: 'Assign books' })).toHaveAttribute('aria-disabled', 'true');
    await dialog.getByLabel('The Wet Pup').check();
    await expectAccessible(page);
    await dialog.getByLabel('Reading level').selectOption('6');
    await dialog.getByLabel('Find a title').fill('kilometres');
    await dialog.getByLabel('Eleven Kilometres Under').check();
    await expect(dialog.getByRole('checkbox')).toHaveCount(1);
    await dialog.getByRole('button', { name: 'Assign 2 books' }).click();
    await expect(page.getByText('2 books assigned to 2 pupils')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('2 books assigned to 2 pupils')).toBeHidden();
    await page.getByRole('link', { name: 'Tilly Marsh', exact: true }).click();
    await page.getByRole('link', { name: 'MANAGE BOOKS' }).click();
    await page.getByRole('link', { name: 'Only Assigned' }).click();
    await expect(page.getByText('No books match.')).toBeVisible();
  },
);

test('the page of a pupil’s book shows its sessions, with the chosen one in the URL', async ({ logIn, portal }) => {
  const token = await tokenOf(portal, people.teacher);
  const get = <T>(path: string) => callApi<T>(portal, 'GET', path, undefined, token);
  const { user } = await get<ReplyOf<typeof accessCalls.getMe>>('/users/me');
  const { enterprise } = await get<ReplyOf<typeof schoolCalls.getSchool>>(`/enterprises/${user.enterprise_id}`);
  const own = enterprise.groups.find(({ user_manages: canChange }) => canChange);
  const { group } = await get<ReplyOf<typeof classCalls.getClass>>(`/enterprises/${enterprise.id}/groups/${own?.id}`);
  /** A pupil's book with several sessions that was not finished in the first. */
  const findReadBook = async () => {
    for (const { id } of group.readers) {
      const path = `/enterprises/${enterprise.id}/readers/${id}`;
      const summary = await get<ReplyOf<typeof readingCalls.getPupilSummary>>(`${path}/summary`);
      for (const { book_id } of summary.reading_sessions) {
        const book = await get<ReplyOf<typeof readingCalls.getPupilBook>>(`${path}/books/${book_id}/summary`);
        if (book.reading_sessions.at(-1)?.has_completed_book === false && book.reading_sessions.length > 1)
          return { ...book, pupilId: id };
      }
    }
    throw new Error('No pupil has read a book in more than one session.');
  };
  const { book, reading_sessions: sessions, pupilId } = await findReadBook();
  const first = sessions.at(-1);

  const page = await logIn(people.teacher, `/pupils/${pupilId}/books/${book.id}`);
  await expect(page.getByRole('heading', { level: 1, name: book.title })).toBeVisible();
  await expect(page.getByText(book.description)).toBeVisible();
  const history = page.getByRole('table');
  await expect(history.getByRole('row')).toHaveCount(1 + sessions.length);
  await expect(history.getByRole('link').first()).toHaveAttribute('aria-current', 'true');
  await history.getByRole('link').last().click();
  await expect(page).toHaveURL(new RegExp(`rid=${first?.id}`));
  const progress = page.getByText(`Page ${first?.last_page} of ${book.pages_count}`);
  await expect(progress).toBeVisible();
  await expect(page.getByText('Projected Accuracy')).toBeVisible();
  await page.reload();
  await expect(progress).toBeVisible();
  await expect(history.getByRole('link').last()).toBeInViewport();

  await page.getByRole('button', { name: 'What does this mean?' }).click();
  await page.getByRole('dialog', { name: 'Words not turned green' }).press('Escape');
  const cells = page.getByRole('group', { name: 'Attention by page' }).getByRole('button');
  await expect(cells).toHaveCount(book.pages_count);
  await cells.first().press('ArrowRight');
  await expect(cells.nth(1)).toBeFocused();
  await expect(cells.nth(1)).toHaveAccessibleName(/^Page 2: (high|low|no) attention$/);
  await expectAccessible(page);
});

test('a list of books loads covers that are little larger than shown', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  const responses: Response[] = [];
  page.on('response', (response) => response.url().includes('/content/covers/') && responses.push(response));
  await page.goto('/classes/2/books');
  await expectLoaded(page);
  const cover = page.locator('[data-book] img').first();
  await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.complete)).toBe(true);
  const { width: shown } = (await cover.boundingBox())!;
  expect(responses.length).toBeGreaterThan(3);
  const sizes = { loaded: 0, atHeight400: 0 };
  for (const response of responses) {
    const bytes = await response.body();
    const { width } = await sharp(bytes).metadata();
    expect(width).toBeGreaterThanOrEqual(shown);
    expect(width).toBeLessThan(1.5 * shown);
    expect(response.headers()['cache-control']).toBe('public, max-age=31536000, immutable');
    const url = response.url().replace(/height=\d+/, 'height=400');
    sizes.loaded += bytes.length;
    sizes.atHeight400 += (await (await page.request.get(url, { headers: { accept: 'image/webp' } })).body()).length;
  }
  expect(sizes.loaded).toBeLessThan(0.8 * sizes.atHeight400);
});
