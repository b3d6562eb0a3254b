import { calculateAccuracy } from '#contract/accuracy.ts';
import type { LevelTotals } from './charts.queries.ts';

interface Accuracy {
  /** Per cent, unrounded; null when no word was attempted. */
  accuracy: number | null;
  words_attempted: number;
  words_correct: number;
}

/** Every figure of accuracy: of the given totals, at all levels or at one. */
export function measureAccuracy(
  totals: readonly Pick<LevelTotals, 'reading_level' | 'words_attempted' | 'words_correct'>[],
  level?: number,
): Accuracy {
  const counted = totals.filter(({ reading_level }) => level === undefined || reading_level === level);
  const words_attempted = counted.reduce((sum, row) => sum + row.words_attempted, 0);
  const words_correct = counted.reduce((sum, row) => sum + row.words_correct, 0);
  return { accuracy: calculateAccuracy(words_correct, words_attempted), words_attempted, words_correct };
}

/** The level of a pupil's latest day with reading; the highest of several on that day. */
export const findCurrentLevel = (totals: readonly LevelTotals[]): LevelTotals | null =>
  totals.toSorted((a, b) => b.last_day.localeCompare(a.last_day) || b.reading_level - a.reading_level)[0] ?? null;
