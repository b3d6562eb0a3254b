import type { HardWord } from '#contract/calls/hard-words.ts';
import type { PupilWord } from '#contract/calls/pupil-progress.ts';
import { MIN_MEETINGS, wordKey, type WordPrint, WORDS_A_SHEET } from '#contract/words.ts';
import { count, formatNumber } from '../../../../shared/format.ts';
import { groupBy } from '../../../../shared/group-by.ts';

/** The words that are ticked at first. */
export const TICKED_WORDS = 12;

/** A word that can be printed. */
export interface PracticeWord {
  word: string;
  /** How often, and for how many pupils, it was hard. */
  extent: string;
}

type Figures = Pick<PupilWord, 'readings' | 'met'>;

/** `hard in 38 of 81`: of the readings that met the word. */
const describeShare = ({ readings, met }: Figures): string =>
  `hard in ${formatNumber(readings)} of ${formatNumber(met)}`;

/** `hard in 38 of 81, 12 pupils`. */
export const describeClassWord = (word: Pick<HardWord, 'readings' | 'met' | 'readers'>): string =>
  `${describeShare(word)}, ${count(word.readers, 'pupil')}`;

/** `hard in 3 of 9`, or `hard in 2 of 4, few readings`. */
export const describePupilWord = (word: Figures): string =>
  word.met < MIN_MEETINGS ? `${describeShare(word)}, few readings` : describeShare(word);

export const listClassWords = (words: readonly HardWord[]): PracticeWord[] =>
  words.map((word) => ({ word: word.word, extent: describeClassWord(word) }));

interface WordsOfPupil {
  id: number;
  name: string;
  words: readonly PupilWord[];
}

/**
 * The words of one pupil in order, or those of several pupils merged: the words of most pupils first, then those that
 * were hard in most of the readings that met them.
 */
export function listWords(pupils: readonly WordsOfPupil[]): PracticeWord[] {
  const [only, ...others] = pupils;
  if (only && others.length === 0)
    return only.words.map((word) => ({ word: word.word, extent: describePupilWord(word) }));
  const byKey = groupBy(
    pupils.flatMap(({ words }) => words),
    ({ word }) => wordKey(word),
  );
  return [...byKey]
    .map(([key, same]) => ({
      // A pupil's word is in lower case unless it is always capitalised.
      word: same.find(({ word }) => word.charAt(0) === key.charAt(0))?.word ?? same[0]?.word ?? key,
      pupilCount: same.length,
      readings: same.reduce((sum, { readings }) => sum + readings, 0),
      met: same.reduce((sum, { met }) => sum + met, 0),
    }))
    .sort((a, b) => b.pupilCount - a.pupilCount || b.readings * a.met - a.readings * b.met || b.readings - a.readings)
    .map(({ word, pupilCount, ...figures }) => ({
      word,
      extent: `${count(pupilCount, 'pupil')}, ${describeShare(figures)}`,
    }));
}

/**
 * The pages of a print: flashcards have the words of all lists, and of the other prints each list with a ticked word has
 * its own pages.
 * @param lists the words of each pupil, or of a class in one list
 * @param ticked the keys of the words to print
 */
export function countPages(
  print: WordPrint,
  lists: readonly (readonly string[])[],
  ticked: ReadonlySet<string>,
): number {
  const keysOf = (words: readonly string[]) => new Set(words.map(wordKey).filter((key) => ticked.has(key)));
  const printed = print === 'flashcards' ? [keysOf(lists.flat())] : lists.map(keysOf);
  return printed.reduce((pages, { size }) => pages + Math.ceil(size / WORDS_A_SHEET[print]), 0);
}
