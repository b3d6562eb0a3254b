import { expect, it } from 'vitest';
import { classInWords, minutes, pastDay } from './reading-words.ts';

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

it('begun minutes count', () => expect([0, 1, 60, 61].map(minutes)).toEqual([0, 1, 1, 2]));

it('the reading of a class is told in one line', () => {
  const told = (read_this_week: number, seconds: number, accuracy: number | null, words: number, pupils = 29) =>
    classInWords({
      weeks: [],
      readers: Array.from({ length: pupils }) as never[],
      read_this_week,
      reading_time_this_week: seconds,
      accuracy,
      words,
    });
  expect(told(26, 24_720, 93.9, 12_000)).toBe(
    '26 of 29 pupils read this week: 412 minutes, 14 a pupil. Accuracy of the last six weeks: 93%.',
  );
  expect(told(29, 1740, null, 0)).toBe('All of 29 pupils read this week: 29 minutes, 1 a pupil.');
  expect(told(0, 0, 88.1, 40)).toBe(
    'Nobody has read this week yet. Accuracy of the last six weeks: 88%, over 40 words only.',
  );
  expect(told(1, 30, null, 0, 1)).toBe('All of 1 pupil read this week: 1 minute, 1 a pupil.');
});
