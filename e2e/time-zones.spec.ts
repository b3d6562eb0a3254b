import { expect, expectListening, people, test } from './portal.ts';

// Eight hours behind London: in the evening here it is the next day at the school.
test.use({ timezoneId: 'America/Los_Angeles' });

/** Half past midnight at the school, on the day of 25 hours. */
const NOW = '2026-10-24T23:30:00Z';
const START = '2026-10-24T23:00:00.000Z';
const END = '2026-10-25T23:59:59.999Z';

const spansOneDay = (url: string) => {
  const { searchParams } = new URL(url);
  const hours = (Date.parse(searchParams.get('end_time')!) - Date.parse(searchParams.get('start_time')!)) / 3_600_000;
  return hours <= 25;
};

test('Today and Yesterday are the school’s days in a browser in Los Angeles when the clocks go back', async ({
  page,
  logIn,
}) => {
  await page.clock.install();
  await logIn(people.admin, '/pupils?search=owusu');
  await page.getByRole('table').getByRole('link', { name: 'Abena Owusu-Mensah' }).click();
  await expect(page).toHaveURL(/\/pupils\/\d+/);
  await expectListening(page);
  // The server rendered the page at the real time. What the page shows from now on follows the browser's clock.
  await page.clock.setSystemTime(NOW);
  const choose = async (preset: string) => {
    // The page may still request the month whose last day has changed with the clock.
    const request = page.waitForRequest((sent) => sent.url().includes('/summary?') && spansOneDay(sent.url()));
    await page.locator('summary', { hasText: /^Dates:/ }).click();
    await page.getByRole('link', { name: preset, exact: true }).click();
    return new URL((await request).url()).searchParams;
  };

  const today = await choose('Today');
  expect({ start: today.get('start_time'), end: today.get('end_time') }).toEqual({ start: START, end: END });
  await expect(page).toHaveURL(/from=2026-10-25&to=2026-10-25/);
  const yesterday = await choose('Yesterday');
  expect(yesterday.get('end_time')).toBe(new Date(Date.parse(START) - 1).toISOString());
});
