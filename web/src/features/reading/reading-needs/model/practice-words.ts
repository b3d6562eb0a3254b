import type { HardWord } from '#contract/calls/hard-words.ts';
import type { PupilWord } from '#contract/calls/pupil-progress.ts';
import { count } from '../../../../shared/format.ts';
import { groupBy } from '../../../../shared/group-by.ts';

/** A word that can be printed. */
export interface PracticeWord {
  word: string;
  isCommon: boolean;
  /** How often, or for how many pupils, it was hard. */
  extent: string;
}

export const listClassWords = (words: readonly HardWord[]): PracticeWord[] =>
  words.map(({ word, is_common, readers: pupilCount }) => ({
    word,
    isCommon: is_common,
    extent: count(pupilCount, 'pupil'),
  }));

interface PupilWords {
  id: number;
  name: string;
  words: readonly PupilWord[];
}

/** The words of one pupil in order, or those of several pupils merged, the words of most pupils first. */
export function listWords(pupils: readonly PupilWords[]): PracticeWord[] {
  const [only, ...others] = pupils;
  if (only && others.length === 0)
    return only.words.map(({ word, is_common, readings }) => ({
      word,
      isCommon: is_common,
      extent: count(readings, 'reading'),
    }));
  const byWord = groupBy(
    pupils.flatMap(({ words }) => words),
    ({ word }) => word.toLowerCase(),
  );
  return [...byWord]
    .map(([key, same]) => ({
      // A pupil's word is in lower case unless it is always capitalised.
      word: same.find(({ word }) => word.charAt(0) === key.charAt(0))?.word ?? same[0]?.word ?? key,
      isCommon: same.some(({ is_common }) => is_common),
      pupilCount: same.length,
      readings: same.reduce((sum, { readings }) => sum + readings, 0),
    }))
    .sort((a, b) => b.pupilCount - a.pupilCount || b.readings - a.readings)
    .map(({ word, isCommon, pupilCount }) => ({ word, isCommon, extent: count(pupilCount, 'pupil') }));
}
