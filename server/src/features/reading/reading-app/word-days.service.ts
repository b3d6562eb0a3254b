import type { HeardWord } from '#contract/calls/reading-app.ts';
import { wordsOf } from '#contract/words.ts';

/** How often a form of a word was met. */
export interface WordCount {
  /** Sessions that met it, and those in which it was hard. */
  met: number;
  hard: number;
  /** Times that it was heard, and the time of all of them together. */
  heard: number;
  milliseconds: number;
}

/** By the word's form, in its spelling in the book. */
export type WordCounts = ReadonlyMap<string, WordCount>;

/** Forms counted of one pupil and day at most; more than a child can read in a day. */
export const MAX_FORMS_A_DAY = 3000;
/** The longest time that the counts of a day state, in milliseconds: a day. */
const MAX_MILLISECONDS = 86_400_000;

/** The counts of one session, in which each form is met once however often it was heard. */
export function countHeardWords(words: readonly HeardWord[]): WordCounts {
  const counts = new Map<string, WordCount>();
  for (const { word, outcome, milliseconds } of words)
    for (const form of wordsOf(word)) {
      const before = counts.get(form);
      counts.set(form, {
        met: 1,
        hard: outcome === 'read' ? (before?.hard ?? 0) : 1,
        heard: (before?.heard ?? 0) + 1,
        milliseconds: (before?.milliseconds ?? 0) + milliseconds,
      });
    }
  return counts;
}

/** The sum of the counts of several sessions. Forms beyond the first `MAX_FORMS_A_DAY` are not counted. */
export function sumCounts(counts: readonly WordCounts[]): WordCounts {
  const sums = new Map<string, WordCount>();
  for (const [form, count] of counts.flatMap((session) => [...session])) {
    const before = sums.get(form);
    if (!before && sums.size >= MAX_FORMS_A_DAY) continue;
    sums.set(form, {
      met: (before?.met ?? 0) + count.met,
      hard: (before?.hard ?? 0) + count.hard,
      heard: (before?.heard ?? 0) + count.heard,
      milliseconds: Math.min(MAX_MILLISECONDS, (before?.milliseconds ?? 0) + count.milliseconds),
    });
  }
  return sums;
}
