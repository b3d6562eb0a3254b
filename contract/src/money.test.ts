import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceOfDays, pricePerYear, TAXABLE_COUNTRIES, totalOf, vatByRate, vatOn } from './money.ts';

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

const days = fc.array(
  fc.record({ pencePerYear: pence, days: fc.integer({ min: 0, max: 366 }), daysOfYear: fc.constantFrom(365, 366) }),
  { maxLength: 6 },
);

test('days cost their exact share of the yearly price, half a penny rounded up, rounded once', () => {
  fc.assert(
    fc.property(days, (parts) => {
      const sum = parts.reduce(
        (total, part) => total + BigInt(part.pencePerYear) * BigInt(part.days) * BigInt(731 - part.daysOfYear),
        0n,
      );
      expect(priceOfDays(parts)).toBe(nearest(sum, 365n * 366n));
    }),
  );
  expect(priceOfDays([{ pencePerYear: 48_000, days: 365, daysOfYear: 365 }])).toBe(48_000);
  expect(priceOfDays([{ pencePerYear: 1, days: 183, daysOfYear: 366 }])).toBe(1);
  expect(priceOfDays([])).toBe(0);
});

test('the yearly price of an amount is exact for whole years and rounded to the penny otherwise', () => {
  const years = (count: number) => Array.from({ length: count }, (_, n) => 365 + (n % 4 === 3 ? 1 : 0));
  for (const count of [1, 2, 5])
    expect(
      pricePerYear(
        count * 144_000,
        years(count).map((daysOfYear) => ({ days: daysOfYear, daysOfYear })),
      ),
    ).toBe(144_000);
  expect(pricePerYear(100, [{ days: 2, daysOfYear: 365 }])).toBe(18_250);
});

test('lines are summed and their VAT is rounded once for each rate', () => {
  const lines = [
    { quantity: 3, unit_price_pence: 1, vat_rate: 2000 },
    { quantity: 1, unit_price_pence: 5, vat_rate: 500 },
    { quantity: 2, unit_price_pence: 2, vat_rate: 2000 },
  ];
  expect(vatByRate(lines)).toEqual([
    { rate: 2000, vat: 1 },
    { rate: 500, vat: 0 },
  ]);
  expect(totalOf(lines)).toEqual({ net: 12, vat: 1, total: 13 });
});

test('VAT is charged in the United Kingdom and in no other country', () => {
  expect(TAXABLE_COUNTRIES).toEqual(['GBR']);
});
