import { expect, test } from 'vitest';
import { accuracyParams, parseAccuracyScope } from './accuracy-scope.ts';

test.each([
  ['all', 'all'],
  ['5', 5],
  ['7', undefined],
  ['', undefined],
  ['5x', undefined],
])('?accuracy=%s is %s', (text, expected) => {
  expect(parseAccuracyScope(new URLSearchParams({ accuracy: text }))).toBe(expected);
});

test('a link to accuracy has the scope that it is read with', () => {
  const days = { from: '2026-10-08', to: '2026-11-18' };
  expect(parseAccuracyScope(new URLSearchParams(accuracyParams(days, 3)))).toBe(3);
});
