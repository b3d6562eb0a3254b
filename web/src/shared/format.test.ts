import { expect, it } from 'vitest';
import {
  count,
  formatAccuracy,
  formatDate,
  formatDuration,
  formatShortDuration,
  formatExactMoney,
  formatMoney,
  formatPrice,
  formatShortDate,
  formatTime,
} from './format.ts';

it('days and moments are formatted by the schools’ clock', () => {
  expect(formatDate('2026-11-01')).toBe('1 November 2026');
  expect(formatShortDate('2026-11-01')).toBe('01/11/2026');
  // Half past eleven at night in UTC is the next day in a British summer.
  expect(formatDate('2026-06-30T23:30:00.000Z')).toBe('1 July 2026');
  expect(formatTime('2026-06-30T23:30:00.000Z')).toBe('00:30');
  expect(formatDate('nonsense')).toBe('');
});

it.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [3569, '59 minutes'],
  [3570, '1 hour'],
  [3600, '1 hour'],
  [11_520, '3 hours 12 minutes'],
  [null, '–'],
])('formats %s seconds as %s', (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words);
});

it.each([
  [0, '0 min'],
  [1, '< 1 min'],
  [30, '1 min'],
  [3569, '59 min'],
  [3570, '1 h'],
  [22_800, '6 h 20 min'],
])('formats %s seconds in short as %s', (seconds, words) => {
  expect(formatShortDuration(seconds)).toBe(words);
});

it.each([
  [null, '–'],
  [0, '< 1%'],
  [0.99, '< 1%'],
  [1, '1%'],
  [92.99, '92%'],
  [100, '100%'],
])('floors an accuracy of %s to %s', (percent, words) => {
  expect(formatAccuracy(percent)).toBe(words);
});

it('money is formatted in pounds', () => {
  expect(formatMoney(120_000)).toBe('£1,200');
  expect([84_000, 14_951, 0].map(formatPrice)).toEqual(['£840', '£149.51', '£0']);
  expect(formatExactMoney(120_050)).toBe('£1,200.50');
});

it('a count has its number and its noun', () => {
  expect(count(1, 'pupil')).toBe('1 pupil');
  expect(count(1200, 'class', 'classes')).toBe('1,200 classes');
});
