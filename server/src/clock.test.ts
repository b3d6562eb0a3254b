import fc from 'fast-check';
import { expect, test } from 'vitest';
import { monthsBefore } from './clock.ts';

const times = fc
  .integer({ min: Date.parse('2018-01-01'), max: Date.parse('2098-01-01') })
  .map((time) => new Date(time));
const periods = fc.constantFrom(1, 6, 12, 18, 24, 36);

/** When a period that begins at `from` ends, worked out by going forward. */
function endOf(from: Date, months: number): Date {
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + months);
  // In a month without that day, the date has run over into the next one.
  if (end.getUTCDate() === from.getUTCDate()) return end;
  return new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth(), 1));
}

test('a period of months ends at the same time on the same day of the month, or with a month that has no such day', () => {
  fc.assert(
    fc.property(
      fc.noBias(times),
      periods,
      fc.noBias(fc.integer({ min: 1, max: 3 * 86_400_000 })),
      (from, months, some) => {
        const end = endOf(from, months).getTime();
        for (const time of [end, end + some])
          expect(monthsBefore(new Date(time), months).getTime()).toBeGreaterThanOrEqual(from.getTime());
        for (const time of [end - 1, end - some])
          expect(monthsBefore(new Date(time), months).getTime()).toBeLessThan(from.getTime());
      },
    ),
    { numRuns: 3000 },
  );
});

test.each([
  ['2029-02-28T10:00:00.000Z', 12, '2028-02-28T10:00:00.000Z'],
  ['2029-03-01T00:00:00.000Z', 12, '2028-03-01T00:00:00.000Z'],
  ['2028-02-29T10:00:00.000Z', 12, '2027-02-28T23:59:59.999Z'],
  ['2027-03-31T10:00:00.000Z', 1, '2027-02-28T23:59:59.999Z'],
  ['2027-03-30T10:00:00.000Z', 13, '2026-02-28T23:59:59.999Z'],
])('at %s a period of %i months is over for what began up to %s', (now, months, latest) => {
  expect(monthsBefore(new Date(now), months)).toEqual(new Date(latest));
});
