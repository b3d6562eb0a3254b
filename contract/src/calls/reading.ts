import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { bookSchema } from './books.ts';
import { id, ids, timestamp, statisticsMoment } from '../fields.ts';
import { markChildData } from '../record-views.ts';

/** One session of a pupil reading a book. Times are in seconds, accuracies in per cent (0 to 100, unrounded). */
export const readingSession = markChildData(
  z
    .strictObject({
      id: z.uuid(),
      book_id: id,
      book_title: z.string(),
      date: timestamp,
      /** Active seconds in this session. */
      reading_time: z.number().int(),
      /** Active seconds on this book up to and including this session. */
      total_reading_time: z.number().int(),
      /** Accuracy over the whole book, if this session completed it; otherwise null, as when no word was attempted. */
      accuracy: z.number().nullable(),
      /** Accuracy over the part of the book read so far; null when no word was attempted. */
      range_progressive_accuracy: z.number().nullable(),
      has_completed_book: z.boolean(),
      /** The pupil had completed the book before this session: it is being read again. */
      was_completed_before: z.boolean(),
      /** Rounded up; null below 10 seconds of reading. */
      words_correct_per_minute: z.number().int().nullable(),
      last_page: z.number().int(),
      /** Attention on each page. 0: none. 50 or more, or -1: high. Anything else: low. */
      heatmap: z.array(z.number().int()),
      /** Empty, like `skipped_words`, unless the caller is an admin or teaches the pupil's current class. */
      played_words: z.array(z.string()),
      skipped_words: z.array(z.string()),
      /** Whether it counts as reading: at least 30 seconds, and a word attempted. */
      is_reading: z.boolean(),
      /** Null for the tablet's own time in `date`; `corrected` by the difference of its clock; `arrival` counts from the arrival of the session. */
      clock: z.enum(['corrected', 'arrival']).nullable(),
    })
    .meta({ id: 'ReadingSession' }),
  { fields: ['reading_time', 'accuracy', 'played_words', 'skipped_words'] },
);
export type ReadingSession = z.infer<typeof readingSession>;

/** The range of a pupil's summary; by default from 2018 until now. */
export const summaryRange = z
  .object({ start_time: statisticsMoment.optional(), end_time: statisticsMoment.optional() })
  .refine(({ start_time, end_time }) => !start_time || !end_time || Date.parse(start_time) <= Date.parse(end_time), {
    path: ['end_time'],
    message: 'The end of the range must be after its start.',
  });

export const readingCalls = defineCalls({
  getPupilSummary: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/summary',
    tag: 'Reading',
    summary: "A pupil's reading over a period",
    description:
      'The figures count all sessions that began in the range (both ends included; by default from 2018 until now). Sessions below 30 seconds or without words are in no time and no average. `reading_sessions` has the latest session for each book. `books_not_started` counts currently assigned books that the pupil has never opened.',
    permission: 'view_pupils',
    example: { query: { start_time: '2026-09-01T00:00:00Z', end_time: '2026-10-31T23:59:59Z' } },
    views: { what: 'page', screen: 'pupil' },
    program: { scope: 'read_reading' },
    params: ids('id', 'readerId'),
    query: summaryRange,
    reply: markChildData(
      z.strictObject({
        /** Seconds. */
        total_reading_time: z.number().int(),
        /** Seconds for each book: total time divided by the number of distinct books read, rounded; null when no book was read. */
        average_reading_time: z.number().int().nullable(),
        books_completed: z.number().int(),
        books_in_progress: z.number().int(),
        books_not_started: z.number().int(),
        reading_sessions: z.array(readingSession),
      }),
      { fields: ['total_reading_time', 'books_completed', 'books_in_progress', 'books_not_started'] },
    ),
    errors: ['pupil_not_found'],
  },

  getPupilBook: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/books/{bookId}/summary',
    tag: 'Reading',
    summary: "One pupil's sessions with a book",
    description:
      'The latest 500 sessions, newest first. A book no longer in the catalogue is still returned for pupils who read it.',
    permission: 'view_pupils',
    views: { what: 'page', screen: 'book' },
    params: ids('id', 'readerId', 'bookId'),
    reply: z.strictObject({
      book: bookSchema,
      reading_sessions: z.array(readingSession),
      /** `has_words` is false, and the words are left out, when the caller does not teach the pupil. */
      meta: z.strictObject({ reader_name: z.string(), has_words: z.boolean() }),
    }),
    errors: ['pupil_not_found', 'book_not_found'],
  },
});
