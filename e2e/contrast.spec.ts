import type { CDPSession, Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, expectLoaded, people, recentDays, test } from './portal.ts';
import { shortClassName } from '../web/build/class-names.ts';

/** Where the dots of a chart by pupil have their style. */
const PUPIL_BARS = 'features/reading/dashboard/components/PupilBars.module.css';

/** Settings of the operating system for people who need more contrast. */
const SETTINGS = {
  'forced colours': { 'forced-colors': 'active' },
  'more contrast': { 'prefers-contrast': 'more' },
  'reduced transparency': { 'prefers-reduced-transparency': 'reduce' },
};

async function emulate(browser: CDPSession, features: Record<string, string>): Promise<void> {
  await browser.send('Emulation.setEmulatedMedia', {
    features: Object.entries(features).map(([name, value]) => ({ name, value })),
  });
}

/** The pixels around a mark that belong to its background. */
const RING = 4;
/** The contrast that a mark needs (WCAG 1.4.11). */
const CONTRAST = 3;

/** Reads the pixels of a mark and its surroundings, each as red, green and blue. */
async function pixelsOf(page: Page, mark: Locator) {
  await expect(mark).toBeVisible();
  await mark.scrollIntoViewIfNeeded();
  const box = (await mark.boundingBox())!;
  const clip = { x: box.x - RING, y: box.y - RING, width: box.width + 2 * RING, height: box.height + 2 * RING };
  const { data, info } = await sharp(await page.screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)];
  return { at, width: info.width, height: info.height };
}

const luminance = (colour: number[]): number => {
  const [red = 0, green = 0, blue = 0] = colour.map((value) =>
    value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

function contrastOf(colour: number[], background: number[]): number {
  const [dark = 0, light = 0] = [luminance(colour), luminance(background)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The share of a mark's pixels that stand out from the pixel above its upper left corner, or from its own edge. */
async function visibleShare(page: Page, mark: Locator, from: 'outside' | 'edge' = 'outside'): Promise<number> {
  const { at, width, height } = await pixelsOf(page, mark);
  const background = from === 'outside' ? at(RING, 0) : at(Math.floor(width / 2), RING + 3);
  let visible = 0;
  for (let y = RING; y < height - RING; y += 1)
    for (let x = RING; x < width - RING; x += 1) if (contrastOf(at(x, y), background) >= CONTRAST) visible += 1;
  return visible / ((width - 2 * RING) * (height - 2 * RING));
}

/** The share of pixels in and around an element that its focus changes. */
async function focusShare(page: Page, target: Locator): Promise<number> {
  const before = await pixelsOf(page, target);
  await target.focus();
  const after = await pixelsOf(page, target);
  let changed = 0;
  for (let y = 0; y < before.height; y += 1)
    for (let x = 0; x < before.width; x += 1) if (contrastOf(before.at(x, y), after.at(x, y)) >= CONTRAST) changed += 1;
  return changed / (before.width * before.height);
}

test('charts, switches, badges and the focus are visible with forced colours, more contrast and reduced transparency', async ({
  logIn,
}) => {
  const page = await logIn(people.admin, '/account');
  const browser = await page.context().newCDPSession(page);
  for (const [name, features] of Object.entries(SETTINGS))
    await test.step(name, async () => {
      await emulate(browser, features);
      await page.goto('/?class=2&from=2026-01-01&to=2026-03-31');
      await expectLoaded(page);
      const chart = (title: string) => page.getByRole('region', { name: title, exact: true });
      for (const title of ['Reading time by pupil', 'Books read by pupil']) {
        const bars = chart(title).locator('li [data-level]');
        expect.soft(await visibleShare(page, bars.first()), `bar of ${title}`).toBeGreaterThan(0.5);
      }
      for (const title of ['Accuracy over time', 'Reading time over time', 'Reading time by pupil']) {
        const swatch = chart(title)
          .getByRole('list', { name: /^Legend/ })
          .locator('svg, [data-level]')
          .first();
        expect.soft(await visibleShare(page, swatch), `legend of ${title}`).toBeGreaterThan(0.05);
      }
      const dot = chart('Accuracy by pupil')
        .locator(`li .${shortClassName('dot', PUPIL_BARS)}`)
        .first();
      expect.soft(await visibleShare(page, dot), 'dot of accuracy by pupil').toBeGreaterThan(0.5);
      const patterned = chart('Reading time by pupil').locator('li [data-level]:not([data-level="1"])').first();
      if (name !== 'reduced transparency') await expect.soft(patterned).not.toHaveCSS('background-image', 'none');
      const nameSwitch = page.getByRole('switch', { name: 'Hide names' });
      for (const isOn of [true, false]) {
        await nameSwitch.press('Space');
        await expect(nameSwitch).toBeChecked({ checked: isOn });
        expect.soft(await visibleShare(page, nameSwitch), `switch that is ${isOn ? 'on' : 'off'}`).toBeGreaterThan(0.3);
      }
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Classes' });
      expect.soft(await focusShare(page, link), 'focus of a link').toBeGreaterThan(0.02);

      await page.goto('/classes/2/books');
      await expectLoaded(page);
      const badge = page
        .locator('[data-book] span')
        .filter({ hasText: /^Assigned$/ })
        .first();
      expect.soft(await visibleShare(page, badge, 'edge'), 'badge').toBeGreaterThan(0.05);
      const button = page.getByRole('main').getByRole('button').first();
      expect.soft(await focusShare(page, button), 'focus of a button').toBeGreaterThan(0.02);
    });
});

/** The colour of an element's ground, left of its text. */
async function groundOf(page: Page, part: Locator): Promise<number[]> {
  const { at, height } = await pixelsOf(page, part);
  return at(RING + 3, Math.floor(height / 2));
}

test('what is current, pressed or selected differs from the rest with forced colours', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  const browser = await page.context().newCDPSession(page);
  await emulate(browser, SETTINGS['forced colours']);
  const expectMarked = async (marked: Locator, other: Locator, what: string) =>
    expect.soft(contrastOf(await groundOf(page, marked), await groundOf(page, other)), what).toBeGreaterThan(CONTRAST);
  const open = async (path: string) => {
    await page.goto(path);
    await expectLoaded(page);
  };

  await open(`/?class=2&${recentDays()}`);
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expectMarked(
    menu.getByRole('link', { name: 'Dashboard' }),
    menu.getByRole('link', { name: 'Teachers' }),
    'menu',
  );
  const legend = page.getByRole('list', { name: 'Legend: Accuracy over time' }).getByRole('button');
  await legend.first().click();
  await expect(legend.first()).toHaveAttribute('aria-pressed', 'true');
  await page.mouse.move(0, 0);
  await expectMarked(legend.first(), legend.last(), 'level of a legend');
  await page.locator('summary', { hasText: 'Dates:' }).click();
  const dates = page.getByRole('group', { name: 'Choose dates' });
  // On some days of a month several ranges are the same days, and another name is current.
  await expectMarked(dates.locator('a[aria-current]'), dates.getByRole('link', { name: 'Last year' }), 'dates');

  await open('/classes/2/books');
  const shown = page.getByRole('main');
  await expectMarked(
    shown.getByRole('link', { name: 'All books' }),
    shown.getByRole('link', { name: 'Only Assigned' }),
    'choice of a library',
  );

  await open('/classes/2');
  const rows = page.getByRole('table', { name: /^Pupils of/ }).getByRole('row');
  await rows.nth(1).getByRole('checkbox').check();
  const edgeOf = async (row: Locator) => (await pixelsOf(page, row)).at(RING + 1, RING + 20);
  await page.mouse.move(0, 0);
  expect.soft(contrastOf(await edgeOf(rows.nth(1)), await edgeOf(rows.nth(2))), 'row').toBeGreaterThan(CONTRAST);

  await page.keyboard.press('Control+k');
  const options = page.getByRole('dialog').getByRole('option');
  await page.getByRole('dialog').getByRole('combobox').fill('class');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  // The options are replaced when the pupils with this name have been found.
  await expect(async () => {
    const [chosen, other] = [await groundOf(page, options.first()), await groundOf(page, options.nth(1))];
    expect(contrastOf(chosen, other), 'option of the search').toBeGreaterThan(CONTRAST);
  }).toPass();
  await expect.soft(page.getByRole('dialog')).toHaveCSS('border-top-style', 'solid');

  await page.context().clearCookies();
  await page.goto('/register');
  const password = page.getByLabel('Password', { exact: true });
  const meter = page.locator('[data-meter] > span');
  await expect
    .poll(async () => {
      await password.fill('lantern');
      await password.pressSequentially('s');
      return meter.first().evaluate((step: HTMLElement) => step.dataset.on !== undefined);
    })
    .toBe(true);
  await expectMarked(meter.first(), meter.last(), 'strength of a password');
});
