/** Active seconds from which a session counts as reading. */
export const MIN_READING_SECONDS = 30;

/**
 * Whether a session counts as reading, by the definition in docs/words.md. A shorter one, or one without words, is kept, and
 * completes a book if it says so, but is in no figure of reading.
 */
export const isReading = (session: { reading_time: number; words_attempted: number }): boolean =>
  session.words_attempted > 0 && session.reading_time >= MIN_READING_SECONDS;
