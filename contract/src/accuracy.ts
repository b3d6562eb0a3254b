import { plusDays } from './school-calendar.ts';

/** The minimum number of attempted words from which a pupil's reading is assessed. Fewer are too small a sample. */
export const MIN_WORDS = 100;

/** "The last six weeks" everywhere: 42 days, including today. */
const RECENT_DAYS = 42;

export const recentDays = (today: string): { from: string; to: string } => ({
  from: plusDays(today, 1 - RECENT_DAYS),
  to: today,
});

/** The share of the attempted words that were read correctly, in per cent. Null where no word was attempted. */
export const calculateAccuracy = (wordsCorrect: number, wordsAttempted: number): number | null =>
  wordsAttempted === 0 ? null : (wordsCorrect / wordsAttempted) * 100;

/** The bands of accuracy in per cent, the lowest first, each with its lowest value. */
export const ACCURACY_BANDS = [
  { name: 'Under 90%', from: 0 },
  { name: '90 to 94%', from: 90 },
  { name: '95% and over', from: 95 },
] as const;
