import { PUBLISHED_BANK_HOLIDAYS } from '#contract/bank-holidays.ts';
import { expect, test } from 'vitest';
import { compareBankHolidays } from './bank-holidays.ts';

/** The document that the government would publish for our data. */
const published = Object.fromEntries(
  Object.entries(PUBLISHED_BANK_HOLIDAYS).map(([list, years]) => [
    list,
    {
      events: Object.entries(years).flatMap(([year, days]) =>
        days.split(' ').map((day) => ({ date: `${year}-${day}` })),
      ),
    },
  ]),
);

test('the bank holidays are reported as complete until the end of the next year', () => {
  expect(compareBankHolidays(published, '2026-12-31')).toEqual([]);
});

test('a list that does not reach the end of the next year is reported', () => {
  expect(compareBankHolidays(published, '2027-01-01')).toEqual([
    'england-and-wales: 2028 is missing.',
    'scotland: 2028 is missing.',
    'northern-ireland: 2028 is missing.',
  ]);
});

test('a day that was added or removed is reported, and one of a past year is not', () => {
  const { scotland } = published;
  const events = [...(scotland?.events ?? []), { date: '2026-12-30' }, { date: '2025-12-30' }].filter(
    ({ date }) => date !== '2027-11-30',
  );
  expect(compareBankHolidays({ ...published, scotland: { events } }, '2026-12-01')).toEqual([
    'scotland: add 2026-12-30.',
    'scotland: remove 2027-11-30.',
  ]);
});
