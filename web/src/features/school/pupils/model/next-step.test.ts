import { expect, test } from 'vitest';
import { nextStep } from './next-step.ts';

const low = { kind: 'low_accuracy', accuracy: 84, words: 412 } as const;
const words = [{ word: 'where', readings: 6, met: 8 }];

test('each reason for needing help has its own first step', () => {
  expect(nextStep({ kind: 'nothing_assigned' }, null)).toEqual({ kind: 'library' });
  expect(nextStep({ kind: 'not_read', school_days: 9, last_read_on: null }, null).kind).toBe('password');
  expect(nextStep({ ...low, reading_level: 3 }, 3)).toMatchObject({ kind: 'books', level: 2, count: 3 });
  expect(nextStep({ kind: 'falling', from: 96, to: 88, words: 200, reading_level: 4 }, 4)).toMatchObject({ level: 3 });
  expect(nextStep({ kind: 'same_words', words, readings: 10 }, 2)).toMatchObject({ kind: 'words', words: ['where'] });
  expect(nextStep({ kind: 'unfinished', book_id: 1, book_title: 'Otters', times: 3 }, 5)).toMatchObject({
    kind: 'books',
    level: 5,
    count: 2,
  });
});

test('a pupil at level 1 with low accuracy is offered words to print, because there are no easier books', () => {
  expect(nextStep({ ...low, reading_level: 1 }, 1)).toEqual({ kind: 'words', text: 'Print words to practise' });
});
