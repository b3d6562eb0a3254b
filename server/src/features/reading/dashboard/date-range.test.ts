import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketsOf, bucketWidth } from './date-range.service.ts';

const DAY = 86_400_000;
const time = (day: string) => Date.parse(`${day}T00:00:00Z`);
const plus = (day: string, days: number) => new Date(time(day) + days * DAY).toISOString().slice(0, 10);

const anyDay = fc.integer({ min: 0, max: 365 * 14 }).map((days) => plus('2018-01-01', days));
const range = fc
  .tuple(anyDay, fc.oneof(fc.nat(40), fc.nat(200), fc.nat(2000)))
  .map(([from, days]) => [from, plus(from, days)] as const);

/** The first day of a day's bucket, by definition. */
const firstDayOf = (width: 'day' | 'week' | 'month', day: string): string => {
  if (width === 'day') return day;
  if (width === 'month') return `${day.slice(0, 7)}-01`;
  const at = new Date(`${day}T00:00:00Z`);
  return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10);
};

describe('width of buckets', () => {
  test.each([
    ['2026-11-18', '2026-11-18', 'day'],
    ['2026-10-01', '2026-10-31', 'day'],
    ['2026-10-01', '2026-11-01', 'week'],
    ['2024-02-01', '2024-03-02', 'day'],
    ['2024-02-01', '2024-03-03', 'week'],
    ['2026-01-01', '2026-07-01', 'week'],
    ['2026-01-01', '2026-07-02', 'month'],
    ['2024-01-01', '2024-06-30', 'week'],
    ['2024-01-01', '2024-07-01', 'month'],
    ['2018-01-01', '2026-11-18', 'month'],
  ])('the width of buckets from %s to %s is a %s', (from, to, expected) => {
    expect(bucketWidth(from, to)).toBe(expected);
  });

  test('the width of buckets depends on the number of days alone: 31, and 26 weeks', () => {
    fc.assert(
      fc.property(anyDay, fc.nat(400), (from, days) => {
        const expected = days <= 31 ? 'day' : days <= 182 ? 'week' : 'month';
        expect(bucketWidth(from, plus(from, Math.max(days, 1) - 1))).toBe(expected);
      }),
    );
  });
});

describe('buckets', () => {
  test('buckets cover a range without gaps or overlaps', () => {
    fc.assert(
      fc.property(range, ([from, to]) => {
        const width = bucketWidth(from, to);
        const buckets = bucketsOf(width, from, to);
        expect(buckets).toEqual([...new Set(buckets)].sort());
        const seen = new Set<string>();
        for (let day = from; day <= to; day = plus(day, 1)) {
          const bucket = firstDayOf(width, day);
          expect(buckets).toContain(bucket);
          seen.add(bucket);
          // A day belongs to the last bucket that begins no later.
          expect(buckets.findLast((first) => first <= day)).toBe(bucket);
        }
        expect([...seen]).toEqual(buckets);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    // Clocks change on 25 October and 29 March: days are calendar days, not 24 hours.
    ['day', '2026-10-24', '2026-10-26', ['2026-10-24', '2026-10-25', '2026-10-26']],
    ['day', '2026-03-28', '2026-03-30', ['2026-03-28', '2026-03-29', '2026-03-30']],
    ['day', '2024-02-28', '2024-03-01', ['2024-02-28', '2024-02-29', '2024-03-01']],
    ['day', '2026-02-28', '2026-03-01', ['2026-02-28', '2026-03-01']],
    ['week', '2026-10-21', '2026-11-02', ['2026-10-19', '2026-10-26', '2026-11-02']],
    ['week', '2025-12-31', '2026-01-05', ['2025-12-29', '2026-01-05']],
    ['month', '2023-12-31', '2024-03-01', ['2023-12-01', '2024-01-01', '2024-02-01', '2024-03-01']],
  ] as const)('buckets by %s from %s to %s are %j', (width, from, to, expected) => {
    expect(bucketsOf(width, from, to)).toEqual(expected);
  });
});
