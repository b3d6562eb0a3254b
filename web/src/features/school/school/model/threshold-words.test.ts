import { expect, it } from 'vitest';
import { offInWords, rulesInWords } from './threshold-words.ts';

it('thresholds of reading needs are described in words, and those that are 0 as left out', () => {
  const thresholds = { days_without_reading: 1, accuracy_below: 90, falling_by: 0, same_word_in: 3, book_begun: 100 };
  expect(rulesInWords(thresholds)).toEqual([
    'has not read for 1 school day',
    'reads with an accuracy under 90% at their level',
    'finds the same word hard in 3 of the last ten readings',
    'begins a book 100 times and does not finish it',
    'has no book assigned',
  ]);
  expect(offInWords(thresholds)).toEqual(['Falling accuracy does not count.']);
});
