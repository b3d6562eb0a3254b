import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proratedPrice, vatOn } from './money.ts';

/** The whole number nearest to a fraction, halves upwards, in exact arithmetic. */
const nearest = (dividend: bigint, divisor: bigint): number => Number((2n * dividend + divisor) / (2n * divisor));

const pence = fc.integer({ min: 0, max: 2 ** 31 - 1 });

test('VAT is the exact share, half a penny rounded up', () => {
  fc.assert(
    fc.property(pence, fc.integer({ min: 0, max: 10_000 }), (amount, rate) => {
      expect(vatOn(amount, rate)).toBe(nearest(BigInt(amount) * BigInt(rate), 10_000n));
    }),
  );
  expect([vatOn(2, 2500), vatOn(1, 5000), vatOn(1, 4999), vatOn(12_345, 2000), vatOn(3, 1750)]).toEqual([
    1, 1, 0, 2469, 1,
  ]);
});

test('an upgrade costs the exact share of the difference, half a penny rounded up, and never less than nothing', () => {
  const days = fc.integer({ min: 1, max: 1830 });
  fc.assert(
    fc.property(pence, pence, fc.integer({ min: 0, max: 1830 }), days, (oldPrice, newPrice, left, period) => {
      const difference = newPrice > oldPrice ? BigInt(newPrice - oldPrice) : 0n;
      expect(proratedPrice(oldPrice, newPrice, left, period)).toBe(nearest(difference * BigInt(left), BigInt(period)));
    }),
  );
  expect(proratedPrice(48_000, 84_000, 365, 365)).toBe(36_000);
  expect(proratedPrice(48_000, 84_000, 0, 365)).toBe(0);
  expect(proratedPrice(84_000, 48_000, 200, 365)).toBe(0);
  expect(proratedPrice(0, 1, 183, 366)).toBe(1);
});
