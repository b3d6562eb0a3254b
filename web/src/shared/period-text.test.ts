import { expect, test } from 'vitest';
import { periodText } from './period-text.ts';

test.each([
  [1, '24 hours'],
  [7, '7 days'],
  [90, '90 days'],
  [180, '6 months'],
  [365, '12 months'],
  [1095, '36 months'],
])('%i days are %s', (days, text) => {
  expect(periodText(days)).toBe(text);
});
