import type { Book } from '#contract/calls/books.ts';
import type { ReadingSession } from '#contract/calls/reading.ts';

/** A book that is not assigned. */
export const makeBook = (more: Partial<Book> = {}): Book => ({
  id: 6,
  title: 'The Lantern',
  description: 'A walk in the dark.',
  cover_image: null,
  preview: null,
  reading_level: 3,
  collection_key: 'default',
  tags: [],
  pages_count: 12,
  is_assigned: false,
  is_assigned_via_group: false,
  is_assigned_to_reader: false,
  assigned_via: null,
  ...more,
});

/** A session with the book of `makeBook` that did not complete it. */
export const makeSession = (more: Partial<ReadingSession> = {}): ReadingSession => ({
  id: '7d1c3f6e-1d5b-4c5e-9a44-2f0d6b8e9c10',
  book_id: 6,
  book_title: 'The Lantern',
  date: '2026-11-18T10:00:00.000Z',
  reading_time: 120,
  total_reading_time: 120,
  accuracy: null,
  range_progressive_accuracy: 90,
  has_completed_book: false,
  was_completed_before: false,
  words_correct_per_minute: 27,
  last_page: 3,
  heatmap: [10],
  played_words: [],
  skipped_words: [],
  is_reading: true,
  clock: null,
  ...more,
});
