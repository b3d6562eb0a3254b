import { expect, it } from 'vitest';
import { untilFromNow, untilInWords } from './moment-in-words.ts';

it.each([
  ['2026-11-27T15:30:00.000Z', 'Friday 27 November at 15:30'],
  ['2026-06-26T14:30:00.000Z', 'Friday 26 June at 15:30'],
  ['2026-11-27T23:59:00.000Z', 'the end of Friday 27 November'],
  ['2026-11-28T00:00:00.000Z', 'the end of Friday 27 November'],
  ['2026-06-26T22:59:59.999Z', 'the end of Friday 26 June'],
])('the end %s is “until %s”', (moment, words) => {
  expect(untilInWords(moment)).toBe(words);
});

it.each([
  ['2026-11-27T15:30:00.000Z', '15:30 today'],
  ['2026-11-28T00:00:00.000Z', 'the end of today'],
  ['2026-11-28T09:00:00.000Z', '09:00 tomorrow'],
  ['2026-11-28T23:59:00.000Z', 'the end of tomorrow'],
  ['2026-11-30T15:30:00.000Z', 'Monday 30 November at 15:30'],
])('on 27 November the end %s is “until %s”', (moment, words) => {
  expect(untilFromNow(moment, Date.parse('2026-11-27T09:00:00Z'))).toBe(words);
});
