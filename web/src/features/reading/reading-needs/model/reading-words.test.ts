import { expect, it } from 'vitest';
import { classAccuracy, minutes, pastDay } from './reading-words.ts';

it('a day in the past is named briefly', () => {
  const named = (day: string | null) => pastDay(day, '2026-11-18');
  expect([null, '2026-11-18', '2026-11-17', '2026-11-16', '2025-11-18'].map(named)).toEqual([
    'Never',
    'Today',
    'Yesterday',
    '16 November',
    '18 November 2025',
  ]);
});

it('reading time is rounded up to whole minutes', () => expect([0, 1, 60, 61].map(minutes)).toEqual([0, 1, 1, 2]));

it('the accuracy of a class states its days, and few words', () => {
  expect(classAccuracy({ accuracy: 93.9, words: 12_000 })).toBe('Accuracy, last six weeks: 93%.');
  expect(classAccuracy({ accuracy: 88.1, words: 40 })).toBe('Accuracy, last six weeks: 88%, from 40 words.');
  expect(classAccuracy({ accuracy: null, words: 0 })).toBeUndefined();
});
