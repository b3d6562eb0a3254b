import { expect, test } from 'vitest';
import { formatPeriod } from './period.ts';

test.each([
  [{ days: 1 }, '24 hours'],
  [{ days: 7 }, '7 days'],
  [{ days: 90 }, '90 days'],
  [{ days: 180 }, '6 months'],
  [{ days: 365 }, '1 year'],
  [{ days: 730 }, '2 years'],
  [{ days: 1095 }, '3 years'],
  [{ months: 1 }, '1 month'],
  [{ months: 18 }, '18 months'],
  [{ months: 24 }, '2 years'],
])('a period of %j is shown as %s', (period, text) => {
  expect(formatPeriod(period)).toBe(text);
});
