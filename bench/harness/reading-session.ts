import { randomUUID } from 'node:crypto';

/** A reading session that ended now, as the reading app sends it. */
export const buildSession = (id: string = randomUUID()) => ({
  id,
  book_id: 101,
  started_at: new Date(Date.now() - 60_000).toISOString(),
  reading_time: 60,
  last_page: 1,
  words_attempted: 10,
  words_correct: 9,
  has_completed_book: false,
  heatmap: [1],
  played_words: ['castle'],
  skipped_words: [],
});
