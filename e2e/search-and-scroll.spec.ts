import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectListening, holdScripts, people, test } from './portal.ts';

const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY));
const rows = (page: Page) => page.getByRole('table', { name: 'Pupils' }).getByRole('row');

test('Back and reload restore the scroll position of a long list', async ({ logIn }) => {
  const page = await logIn(people.admin);
  await page.goto('/pupils?per_page=100');
  const pager = page.getByText(/^1 to \d+ of \d+ pupils$/);
  // The heading row and all pupils: the first paint shows fewer.
  const whole = 1 + Number(/ to (\d+) of/.exec(await pager.innerText())?.[1]);
  expect(whole).toBeGreaterThan(90);
  await expect(rows(page)).toHaveCount(whole);
  const pupil = rows(page).nth(60).getByRole('link').first();
  const name = await pupil.innerText();
  await pupil.hover();
  const position = await scrolled(page);
  expect(position).toBeGreaterThan(1000);
  await pupil.click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
  await expect.poll(() => scrolled(page)).toBe(0);

  await page.goBack();
  await expect(rows(page)).toHaveCount(whole);
  await expect.poll(() => scrolled(page)).toBe(position);

  await page.reload();
  await expect(rows(page)).toHaveCount(whole);
  await expect.poll(() => scrolled(page)).toBe(position);

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Dashboard');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pupils' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pupils' })).toBeVisible();
  await expect.poll(() => scrolled(page)).toBe(0);
});

test('Ctrl-K finds pupils and classes from anywhere, with keyboard and mouse', async ({ logIn }) => {
  const page = await logIn(people.admin);
  await openDocument(page, '/account');
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Find anything' });
  const field = dialog.getByRole('combobox', { name: 'Pupil, class, colleague, book or screen' });
  await expect(field).toBeFocused();
  await expectAccessible(page);

  await page.keyboard.type('wisniewski');
  const pupil = dialog.getByRole('group', { name: 'Pupils' }).getByRole('option', { name: /^Łukasz Wiśniewski/ });
  await expect(pupil).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Łukasz Wiśniewski');
  await expect(dialog).toBeHidden();

  await page.keyboard.press('Control+k');
  await field.fill('year 4');
  const classes = dialog.getByRole('group', { name: 'Classes' }).getByRole('option');
  await expect(classes.filter({ hasText: 'Year 4 Kingfishers' })).toBeVisible();
  await expect(classes.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(dialog.getByRole('option').last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Find anything' }).click();
  await field.fill('zzq');
  await expect(dialog.getByText('Nothing found with “zzq”.')).toBeVisible();
  await field.fill('owls');
  await dialog.getByRole('option', { name: /Year 6 Owls/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Year 6 Owls');

  await page.keyboard.press('Control+k');
  await expect(dialog.getByRole('group', { name: 'Recent' }).getByRole('option').first()).toContainText(
    'Łukasz Wiśniewski',
  );
  await field.fill('teach');
  await expect(dialog.getByRole('group', { name: 'Screens' }).getByRole('option')).toContainText('Teachers');
  await field.fill('siobhan');
  await expect(dialog.getByRole('group', { name: 'Staff' }).getByRole('option')).toContainText('Siobhán McGlinchey');
  await field.fill('a');
  await dialog.getByRole('option', { name: /All pupils with “a”/ }).click();
  await expect(page).toHaveURL(/\/pupils\?search=a$/);
});

test('a failed search shows an error and then recovers', async ({ logIn }) => {
  const page = await logIn(people.admin);
  await page.route('**/v1/enterprises/1/readers?*search=*', (route) => route.abort());
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Find anything' });
  await dialog.getByRole('combobox').fill('jabl');
  await expect(dialog.getByText('Error: Network Error')).toBeVisible();
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('option', { name: /Dominik Jabłoński/ })).toBeVisible();
});

test('the palette still finds other results when the book search fails', async ({ logIn }) => {
  const page = await logIn(people.admin, '/classes/2');
  await expectListening(page);
  const books = page.waitForRequest('**/books?*search=jabl*');
  await page.route('**/books?*search=*', (route) => route.abort());
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('jabl');
  await books;
  await expect(page.getByRole('option', { name: /Dominik Jabłoński/ })).toBeVisible();
});

/** Opens only the document: the page is rendered, but no script has loaded. */
async function openDocument(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

test('Ctrl-K opens the palette before the scripts have loaded, and searches for text typed in the meantime', async ({
  logIn,
}) => {
  const page = await logIn(people.admin);
  const release = await holdScripts(page);
  await openDocument(page, '/account');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('wisniewskx');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('i');
  const dialog = page.getByRole('dialog', { name: 'Find anything' });
  const field = dialog.getByRole('combobox', { name: 'Pupil, class, colleague, book or screen' });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('wisniewski');
  release();

  await expect(field).toHaveValue('wisniewski');
  await expect(dialog.getByRole('option', { name: /^Łukasz Wiśniewski/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Łukasz Wiśniewski');
});

test('text typed before the palette’s script has loaded is searched for', async ({ logIn }) => {
  const page = await logIn(people.admin);
  const release = await holdScripts(page, /\/assets\/CommandPalettePanel-.*\.js$/);
  await page.goto('/account', { waitUntil: 'commit' });
  await expectListening(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('owls');
  release();
  const dialog = page.getByRole('dialog', { name: 'Find anything' });
  await expect(dialog.getByRole('combobox')).toHaveValue('owls');
  await expect(dialog.getByRole('option', { name: /Year 6 Owls/ })).toBeVisible();
});

test('the / key focuses the page’s search before the scripts have loaded', async ({ logIn }) => {
  const page = await logIn(people.admin);
  const release = await holdScripts(page);
  await openDocument(page, '/pupils');
  await page.keyboard.type('/wisni');
  const field = page.getByRole('searchbox', { name: 'Search by name or username' });
  await expect(field).toBeFocused();
  release();
  await expectListening(page);
  await expect(field).toHaveValue('wisni');
  await expect(page).toHaveURL(/search=wisni/);
  await expect(rows(page).filter({ hasText: 'Łukasz Wiśniewski' })).toBeVisible();
});

test('Escape closes the palette before the scripts have loaded', async ({ logIn }) => {
  const page = await logIn(people.admin);
  const release = await holdScripts(page);
  await openDocument(page, '/account');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('ann');
  await page.keyboard.press('Escape');
  release();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Find anything' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
