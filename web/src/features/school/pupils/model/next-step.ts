import type { Need } from '#contract/calls/reading-needs.ts';

const EASIER_BOOKS = 3;
const OTHER_BOOKS = 2;
const LOWEST_LEVEL = 1;

/** What to do about a reason. */
type NextStep =
  | { kind: 'library' }
  | { kind: 'password'; text: string }
  /** `words`: only these are ticked. */
  | { kind: 'words'; text: string; words?: readonly string[] }
  | { kind: 'books'; text: string; level: number; count: number };

const easierBooks = (level: number): NextStep =>
  level > LOWEST_LEVEL
    ? { kind: 'books', text: `Assign level ${level - 1} books`, level: level - 1, count: EASIER_BOOKS }
    : { kind: 'words', text: 'Print words to practise' };

/**
 * The first thing to do about a reason.
 * @param level the pupil's current level, if the pupil has read recently
 */
export function nextStep(need: Need, level: number | null): NextStep {
  switch (need.kind) {
    case 'nothing_assigned':
      return { kind: 'library' };
    case 'not_read':
      return { kind: 'password', text: 'Reset password' };
    case 'low_accuracy':
    case 'falling':
      return easierBooks(need.reading_level);
    case 'same_words':
      return { kind: 'words', text: 'Print these words', words: need.words.map(({ word }) => word) };
    case 'unfinished':
      return { kind: 'books', text: 'Suggest two other books', level: level ?? LOWEST_LEVEL, count: OTHER_BOOKS };
  }
}
