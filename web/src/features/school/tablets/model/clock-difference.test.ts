import { expect, test } from 'vitest';
import { formatClockDifference, wrongClocksText } from './clock-difference.ts';

test.each([
  [121, '2 minutes ahead'],
  [-3599, '60 minutes behind'],
  [3600, '1 hour ahead'],
  [18_000, '5 hours ahead'],
  [-90_000, '1 day behind'],
  [366 * 86_400, '1 year ahead'],
  [-1_795_046_400, '57 years behind'],
])('a difference of %i seconds is “%s”', (seconds, text) => {
  expect(formatClockDifference(seconds)).toBe(text);
});

test('the number of tablets with a wrong clock is a sentence', () => {
  expect([wrongClocksText(1), wrongClocksText(2, ' of this class')]).toEqual([
    '1 tablet has a wrong clock',
    '2 tablets of this class have a wrong clock',
  ]);
});
