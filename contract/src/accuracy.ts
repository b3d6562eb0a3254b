/** The share of the attempted words that were read correctly, in per cent. Null where no word was attempted. */
export const calculateAccuracy = (wordsCorrect: number, wordsAttempted: number): number | null =>
  wordsAttempted === 0 ? null : (wordsCorrect / wordsAttempted) * 100;
