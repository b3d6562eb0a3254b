import { priceOfDays } from '#contract/money.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, addMonths } from '../../../clock.ts';
import {
  endOfDay,
  periodsOf,
  startOfDay,
  type SubscriptionRow,
  subscriptionYear,
} from '../subscriptions/subscriptions.public.ts';
import { upgradePeriod, upgradePrice, yearlyPrice } from './proration.service.ts';

const subscriptionOf = (from: string, to: string, size: { max_readers: number; price_per_year_pence: number }) =>
  ({
    starts_at: startOfDay(from),
    expires_at: endOfDay(to),
    package_id: null,
    title: 'A package',
    payment_provider: 'invoice',
    payment_amount_pence: size.price_per_year_pence,
    next_period: null,
    ...size,
  }) as SubscriptionRow;

type Size = Parameters<typeof upgradePrice>[0];
const NOTHING: Size = { max_readers: 1, price_per_year_pence: 0 };
const days = fc.integer({ min: 0, max: 3000 }).map((n) => addDays('2024-01-01', n));

test('a subscription year runs from anniversary to anniversary, also when it starts on 29 February', () => {
  expect(subscriptionYear('2026-11-18', '2026-11-17')).toEqual({ from: '2025-11-18', to: '2026-11-17' });
  expect(subscriptionYear('2028-02-29', '2029-02-27')).toEqual({ from: '2028-02-29', to: '2029-02-27' });
  expect(subscriptionYear('2028-02-29', '2029-02-28')).toEqual({ from: '2029-02-28', to: '2030-02-27' });
  expect(subscriptionYear('2028-02-29', '2032-02-28')).toEqual({ from: '2031-02-28', to: '2032-02-28' });
});

test('five whole years cost exactly five yearly prices, whenever they start', () => {
  fc.assert(
    fc.property(days, fc.integer({ min: 0, max: 1_000_000 }), (from, price) => {
      const to = addDays(addMonths(from, 60), -1);
      const offer = { max_readers: 480, price_per_year_pence: price };
      expect(upgradePrice(offer, subscriptionOf(from, to, NOTHING), from)).toBe(5 * price);
      expect(yearlyPrice(5 * price, { from, to })).toBe(price);
    }),
  );
  const pilot = subscriptionOf('2026-11-18', '2031-11-17', { max_readers: 10, price_per_year_pence: 0 });
  expect(upgradePrice({ max_readers: 480, price_per_year_pence: 144_000 }, pilot, '2026-11-18')).toBe(720_000);
});

/** The exact price of days, in units of 1 / (365 × 366) of a penny. */
function exactParts(pence: number, from: string, to: string, start: string): bigint {
  let sum = 0n;
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const year = subscriptionYear(start, day);
    sum += BigInt(pence) * (addDays(year.from, 365) > year.to ? 366n : 365n);
  }
  return sum;
}

test('no chain of upgrades differs from the exact price of its days by more than half a penny for each invoice', () => {
  const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 300_000 })), {
    minLength: 1,
    maxLength: 5,
  });
  const period = fc.tuple(days, fc.integer({ min: 1, max: 1826 }), fc.integer({ min: 0, max: 1825 }));
  fc.assert(
    fc.property(period, sizes, fc.array(fc.nat(1825), { maxLength: 5 }), ([from, length, first], chain, gaps) => {
      const to = addDays(from, length - 1);
      let row = subscriptionOf(from, to, NOTHING);
      let today = addDays(from, first % length);
      let paid = 0;
      let exact = 0n;
      for (const [index, [max_readers, price_per_year_pence]] of chain
        .toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
        .entries()) {
        const offer = {
          max_readers,
          price_per_year_pence: Math.max(price_per_year_pence, row.price_per_year_pence),
        };
        const step = offer.price_per_year_pence - row.price_per_year_pence;
        const price = upgradePrice(offer, row, today);
        paid += price;
        exact += exactParts(step, today, to, from);
        const difference = BigInt(paid) * 365n * 366n - exact;
        const allowed = (BigInt(index + 1) * 365n * 366n) / 2n;
        expect(difference <= allowed && difference >= -allowed).toBe(true);
        row = { ...row, ...offer };
        const later = addDays(today, (gaps[index] ?? 0) % length);
        today = later > to ? to : later;
      }
    }),
    { numRuns: 60 },
  );
});

test('no order of upgrades is cheaper than purchasing the last package at once, beyond half a penny for each invoice', () => {
  const size = fc.record({ places: fc.nat(400), price_per_year_pence: fc.integer({ min: 0, max: 300_000 }) });
  const period = fc.tuple(days, fc.integer({ min: 1, max: 1826 }));
  fc.assert(
    fc.property(period, size, fc.array(size, { minLength: 2, maxLength: 5 }), ([from, length], first, steps) => {
      const to = addDays(from, length - 1);
      // Each package is larger than the one before; its price may be lower.
      const sizes = [first, ...steps].map(({ price_per_year_pence }, index, all) => ({
        max_readers: all.slice(0, index + 1).reduce((sum, { places }) => sum + 1 + places, 0),
        price_per_year_pence,
      }));
      const [start, ...chain] = sizes as [Size, ...Size[]];
      const paid = chain.map((offer, index) =>
        upgradePrice(offer, subscriptionOf(from, to, sizes[index] ?? start), from),
      );
      const atOnce = upgradePrice(chain.at(-1) ?? start, subscriptionOf(from, to, start), from);
      const saved = atOnce - paid.reduce((sum, price) => sum + price, 0);
      expect(saved).toBeLessThanOrEqual((chain.length + 1) / 2);
    }),
  );
});

test('an upgrade includes the next period if that is smaller, and leaves a larger one unchanged', () => {
  const row = subscriptionOf('2026-01-01', '2027-12-31', { max_readers: 120, price_per_year_pence: 36_500 });
  const nextOf = (max_readers: number, price_per_year_pence: number) => ({
    ...row,
    next_period: {
      from: '2027-01-01',
      to: '2027-12-31',
      package_id: 2,
      title: 'Next',
      max_readers,
      price_per_year_pence,
    },
  });
  const offer = { max_readers: 240, price_per_year_pence: 73_000 };
  expect(periodsOf(nextOf(60, 0)).map(({ from, to }) => [from, to])).toEqual([
    ['2026-01-01', '2026-12-31'],
    ['2027-01-01', '2027-12-31'],
  ]);
  expect(upgradePrice(offer, nextOf(60, 0), '2026-12-31')).toBe(100 + 73_000);
  expect(upgradePrice(offer, nextOf(480, 100_000), '2026-12-31')).toBe(100);
  expect(upgradePeriod(offer, nextOf(60, 0), '2026-12-30')).toEqual({ from: '2026-12-30', to: '2027-12-31' });
  expect(upgradePeriod(offer, nextOf(480, 100_000), '2026-12-30')).toEqual({ from: '2026-12-30', to: '2026-12-31' });
  expect(upgradePrice(offer, nextOf(60, 0), '2027-12-31')).toBe(200);
  expect(priceOfDays([])).toBe(0);
});
