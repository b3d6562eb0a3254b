import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expect, expectLoaded, people, saveFile, test } from './portal.ts';
import type { Portal } from './server.ts';

// It changes the demonstration schools, so it has a portal that no other journey uses.
test.use({ demoCopy: 'changed' });

/** The sum of a chart's totals, from its CSV: exact, while the screen rounds. */
async function totalOf(page: Page, title: string): Promise<number> {
  await page.getByLabel('Download the figures').click();
  const { content } = await saveFile(page, page.getByRole('button', { name: `${title} (CSV)` }));
  const [head = '', ...rows] = content.toString().replace('\uFEFF', '').trim().split('\r\n');
  const column = head.split(',').indexOf('Total');
  expect(column, head).toBeGreaterThan(0);
  return rows.reduce((sum, row) => sum + Number(row.split(',')[column]), 0);
}

const readFigures = async (page: Page) => ({
  time: await totalOf(page, 'Reading time by pupil'),
  timeByDay: await totalOf(page, 'Reading time over time'),
  books: await totalOf(page, 'Books read by pupil'),
});

const shownTotal = (page: Page, title: string) =>
  page.getByRole('region', { name: title }).locator('dl > div').last().getByRole('definition').first();

/** Formatted as in a large figure. */
function inShort(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`;
}

/** Simulates six pupils for some seconds, as `npm run simulate` does, and returns its report. */
async function simulate(portal: Portal): Promise<string> {
  const words = ['seeds/simulate.ts', '--url', portal.url, '--pupils', '6', '--minutes', '0.15'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: resolve(import.meta.dirname, '..') });
  return stdout;
}

const figureIn = (report: string, label: string): number =>
  Number(new RegExp(`${label} +([\\d,]+)`).exec(report)?.[1]?.replaceAll(',', '') ?? Number.NaN);

const dates = (page: Page) => page.locator('summary', { hasText: 'Dates:' });

// A session that started before midnight counts for the day before.
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: 'Europe/London' }).format(new Date());
const preset = hour === '00' ? 'Last 7 days' : 'Today';

test('simulated reading sessions increase the dashboard’s figures by exactly what was read', async ({
  logIn,
  portal,
}) => {
  const page = await logIn(people.admin);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await dates(page).click();
  await page.getByRole('group', { name: 'Choose dates' }).getByRole('link', { name: preset }).click();
  await expect(page).toHaveURL(/from=/);
  // The list of dates changes before the charts load.
  await page.reload();
  await expectLoaded(page);
  const before = await readFigures(page);

  const report = await simulate(portal);
  expect(report).toContain('6 pupils are logged in.');
  expect(report).not.toMatch(/Rejected|Without an answer/);
  const time = figureIn(report, 'reading time');
  const books = figureIn(report, 'books completed');
  expect(time).toBeGreaterThan(120);

  await page.reload();
  await expect(dates(page)).toContainText(preset);
  await expectLoaded(page);
  const after = await readFigures(page);
  expect(after).toMatchObject({ time: before.time + time, timeByDay: before.timeByDay + time });
  // A book that a pupil completed earlier that day counts once.
  if (before.books === 0) expect(after.books).toBe(books);
  else expect(after.books - before.books).toBeLessThanOrEqual(books);
  for (const title of ['Reading time by pupil', 'Reading time over time'])
    await expect(shownTotal(page, title)).toHaveText(inShort(after.time));
  await expect(shownTotal(page, 'Books read by pupil')).toHaveText(
    new RegExp(`^${after.books.toLocaleString('en-GB')} books?$`),
  );
});
