import { expect, expectListening, people, test } from './portal.ts';

// Eight hours behind London: in the evening here it is the next day at the school.
test.use({ timezoneId: 'America/Los_Angeles' });

const nights = [
  {
    name: 'the night the clocks go back',
    now: '2026-10-24T23:30:00Z',
    day: '2026-10-25',
    start: '2026-10-24T23:00:00.000Z',
    end: '2026-10-25T23:59:59.999Z',
  },
  {
    name: 'the night the clocks go forward',
    now: '2026-03-29T00:30:00Z',
    day: '2026-03-29',
    start: '2026-03-29T00:00:00.000Z',
    end: '2026-03-29T22:59:59.999Z',
  },
  {
    name: 'the first night of summer time',
    now: '2026-03-29T23:30:00Z',
    day: '2026-03-30',
    start: '2026-03-29T23:00:00.000Z',
    end: '2026-03-30T22:59:59.999Z',
  },
];

const spansOneDay = (url: string) => {
  const { searchParams } = new URL(url);
  const hours = (Date.parse(searchParams.get('end_time')!) - Date.parse(searchParams.get('start_time')!)) / 3_600_000;
  return hours <= 25;
};

for (const { name, now, day, start, end } of nights)
  test(`Today and Yesterday are the school’s days in a browser in Los Angeles, in ${name}`, async ({ page, logIn }) => {
    await page.clock.install();
    await logIn(people.admin, '/pupils?search=owusu');
    await page.getByRole('table').getByRole('link', { name: 'Abena Owusu-Mensah' }).click();
    await expect(page).toHaveURL(/\/pupils\/\d+/);
    await expectListening(page);
    // The server rendered the page at the real time. What the page shows from now on follows the browser's clock.
    await page.clock.setSystemTime(now);
    const choose = async (preset: string) => {
      // The page may still request the month whose last day has changed with the clock.
      const request = page.waitForRequest((sent) => sent.url().includes('/summary?') && spansOneDay(sent.url()));
      await page.locator('summary', { hasText: /^Dates:/ }).click();
      await page.getByRole('link', { name: preset, exact: true }).click();
      return new URL((await request).url()).searchParams;
    };

    const today = await choose('Today');
    expect({ start: today.get('start_time'), end: today.get('end_time') }).toEqual({ start, end });
    await expect(page).toHaveURL(new RegExp(`from=${day}&to=${day}`));
    const yesterday = await choose('Yesterday');
    expect(yesterday.get('end_time')).toBe(new Date(Date.parse(start) - 1).toISOString());
  });
