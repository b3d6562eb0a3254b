import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayOf, daysBetween, endOfDay, lengthOf, startOfDay, yearFrom } from './period.service.ts';
import { addDays, addMonths } from '../../../clock.ts';

const days = fc.integer({ min: 0, max: 30_000 }).map((n) => addDays('2018-01-01', n));

describe('subscription years', () => {
  test.each([
    ['2026-11-18', '2027-11-17', 365],
    ['2027-03-01', '2028-02-29', 366],
    ['2028-02-29', '2029-02-27', 365],
    ['2027-02-28', '2028-02-27', 365],
    ['2026-01-01', '2026-12-31', 365],
  ])('a subscription year from %s ends on %s, after %i days', (from, to, length) => {
    expect(yearFrom(from)).toEqual({ from, to });
    expect(lengthOf(yearFrom(from))).toBe(length);
  });

  test('a subscription year has 365 or 366 days, and the next one follows without a gap', () => {
    fc.assert(
      fc.property(days, (from) => {
        const year = yearFrom(from);
        expect([365, 366]).toContain(lengthOf(year));
        expect(daysBetween(year.to, yearFrom(addDays(year.to, 1)).from)).toBe(1);
      }),
    );
  });
});

test('adding months keeps the day, or takes the last day of a shorter month', () => {
  expect([addMonths('2026-08-31', 1), addMonths('2027-12-31', 2), addMonths('2026-11-18', -23)]).toEqual([
    '2026-09-30',
    '2028-02-29',
    '2024-12-18',
  ]);
});

test('a day begins and ends at midnight in London, on days when the clocks change too', () => {
  expect(startOfDay('2027-07-01').toISOString()).toBe('2027-06-30T23:00:00.000Z');
  expect(endOfDay('2027-03-28').toISOString()).toBe('2027-03-28T22:59:59.000Z');
  fc.assert(
    fc.property(days, (day) => {
      expect(dayOf(startOfDay(day))).toBe(day);
      expect(dayOf(new Date(startOfDay(day).getTime() - 1))).toBe(addDays(day, -1));
      expect(dayOf(endOfDay(day))).toBe(day);
      expect(dayOf(new Date(endOfDay(day).getTime() + 1000))).toBe(addDays(day, 1));
    }),
  );
});
