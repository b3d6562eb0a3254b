import { calendarOf, usualYear } from '#contract/school-calendar.ts';
import { expect, it } from 'vitest';
import { schoolRanges } from './school-ranges.ts';

const namesAndDays = (today: string, calendar = calendarOf({}, null)) =>
  Object.fromEntries(schoolRanges(calendar, today).map(({ name, from, to }) => [name, `${from} ${to}`]));

it('the ranges of dates include every one during a half-term', () => {
  expect(namesAndDays('2026-11-22')).toEqual({
    'This week': '2026-11-16 2026-11-22',
    'Last week': '2026-11-09 2026-11-15',
    'This half-term': '2026-11-02 2026-12-18',
    'Last half-term': '2026-09-02 2026-10-23',
    'This term': '2026-09-02 2026-12-18',
    'Last term': '2026-04-13 2026-07-22',
    'This academic year': '2026-09-01 2027-08-31',
  });
});

it('the ranges of dates include the term but no half-term during the week off within a term', () => {
  const ranges = namesAndDays('2026-10-28');
  expect(ranges['This half-term']).toBeUndefined();
  expect(ranges['Last half-term']).toBe('2026-09-02 2026-10-23');
  expect(ranges['This term']).toBe('2026-09-02 2026-12-18');
});

it('the ranges of dates include the last term in summer, even after the academic year has changed', () => {
  for (const today of ['2026-08-20', '2026-09-01']) {
    const ranges = namesAndDays(today);
    expect(ranges['This term']).toBeUndefined();
    expect(ranges['Last half-term']).toBe('2026-06-01 2026-07-22');
    expect(ranges['Last term']).toBe('2026-04-13 2026-07-22');
  }
  expect(namesAndDays('2026-08-31')['This academic year']).toBe('2025-09-01 2026-08-31');
  expect(namesAndDays('2026-09-01')['This academic year']).toBe('2026-09-01 2027-08-31');
});

it('the ranges of dates use the school’s own term dates if it has set them', () => {
  const ownDates = usualYear(2026).map((half, index) =>
    index === 0 ? { from: '2026-09-07', to: '2026-10-16' } : half,
  );
  expect(namesAndDays('2026-10-01', calendarOf({ 2026: ownDates }, null))['This half-term']).toBe(
    '2026-09-07 2026-10-16',
  );
});
