import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { bookSchema } from './books.ts';
import { id, ids, timestamp, statisticsMoment } from '../fields.ts';

/** One sitting of a pupil with a book. Times in seconds, accuracies in per cent (0 to 100, unrounded). */
export const readingSession = z
  .strictObject({
    id: z.uuid(),
    book_id: id,
    book_title: z.string(),
    date: timestamp,
    /** Active seconds of this sitting. */
    reading_time: z.number().int(),
    /** Active seconds on this book up to and including this sitting. */
    total_reading_time: z.number().int(),
    /** Of the reading that this sitting completed; null while the book is not complete or no word was attempted. */
    accuracy: z.number().nullable(),
    /** Over the part read so far in this reading of the book; null when no word was attempted. */
    range_progressive_accuracy: z.number().nullable(),
    has_completed_book: z.boolean(),
    /** Rounded up; null below 10 seconds of reading. */
    words_correct_per_minute: z.number().int().nullable(),
    last_page: z.number().int(),
    /** Attention a page: 0 none; 50 or more, or -1, high; otherwise low. */
    heatmap: z.array(z.number().int()),
    /** Empty, as are the skipped ones, unless the caller is an admin or a teacher of the pupil's current class. */
    played_words: z.array(z.string()),
    skipped_words: z.array(z.string()),
  })
  .meta({ id: 'ReadingSession' });
export type ReadingSession = z.infer<typeof readingSession>;

/** The range of a pupil's summary; without ends, from 2018 until now. */
export const summaryRange = z
  .object({ start_time: statisticsMoment.optional(), end_time: statisticsMoment.optional() })
  .refine(({ start_time, end_time }) => !start_time || !end_time || Date.parse(start_time) <= Date.parse(end_time), {
    path: ['end_time'],
    message: 'The end of the range lies before its start.',
  });

export const readingCalls = defineCalls({
  getPupilSummary: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/summary',
    tag: 'Reading',
    summary: "A pupil's reading in a range of time",
    description:
      'The figures count all sessions that began in the range (both ends included; without ends, from 2018 until now). `reading_sessions` has the latest session of each book. `books_not_started` counts the books assigned now that the pupil has never opened.',
    permission: 'view_school',
    example: { query: { start_time: '2026-09-01T00:00:00Z', end_time: '2026-10-31T23:59:59Z' } },
    params: ids('id', 'readerId'),
    query: summaryRange,
    reply: z.strictObject({
      /** Seconds. */
      total_reading_time: z.number().int(),
      /** Seconds a book: total time over the distinct books read in the range, rounded; null when no book was read. */
      average_reading_time: z.number().int().nullable(),
      books_completed: z.number().int(),
      books_in_progress: z.number().int(),
      books_not_started: z.number().int(),
      reading_sessions: z.array(readingSession),
    }),
    errors: ['pupil_not_found'],
  },

  getPupilBook: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/books/{bookId}/summary',
    tag: 'Reading',
    summary: 'A book as one pupil has read it',
    description:
      'The latest 500 sittings, the newest first. A book that the catalogue no longer offers is here as long as its pupils are.',
    permission: 'view_school',
    params: ids('id', 'readerId', 'bookId'),
    reply: z.strictObject({
      book: bookSchema,
      reading_sessions: z.array(readingSession),
      /** Without `has_words` the sittings come without their words: the caller does not teach the pupil. */
      meta: z.strictObject({ reader_name: z.string(), has_words: z.boolean() }),
    }),
    errors: ['pupil_not_found', 'book_not_found'],
  },
});
