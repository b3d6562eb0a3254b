import { FIRST_DAY } from '#contract/limits.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { findLibraryBook, toBook } from '../../books/books/books.public.ts';
import { canReadDetails, getPupil } from '../../school/pupils/pupils.public.ts';
import {
  countBooksNotStarted,
  getReadingFigures,
  listLatestSessions,
  listSessionsOfBook,
} from './pupil-sessions.queries.ts';
import { toReadingSession } from './pupil-sessions.service.ts';

export const pupilSessionHandlers = defineHandlers({
  getPupilSummary: {
    handle: async ({ db, me, params, query, now }) => {
      const pupil = await getPupil(db, me, params.readerId);
      const from = new Date(query.start_time ?? FIRST_DAY);
      const to = query.end_time ? new Date(query.end_time) : now;
      const figures = await getReadingFigures(db, pupil.id, from, to);
      return {
        total_reading_time: figures.reading_time,
        average_reading_time: figures.books_read === 0 ? null : Math.round(figures.reading_time / figures.books_read),
        books_completed: figures.books_completed,
        books_in_progress: figures.books_in_progress,
        books_not_started: await countBooksNotStarted(db, pupil.id),
        reading_sessions: (await listLatestSessions(db, pupil.id, from, to)).map((session) =>
          toReadingSession(session, canReadDetails(me, pupil)),
        ),
      };
    },
  },
  getPupilBook: {
    handle: async ({ db, me, params, services }) => {
      const pupil = await getPupil(db, me, params.readerId);
      const owner = { classId: pupil.group?.id ?? null, pupilId: pupil.id };
      const book = await findLibraryBook(db, owner, params.bookId);
      if (!book) throw new AppError('book_not_found');
      const hasWords = canReadDetails(me, pupil);
      const sessions = await listSessionsOfBook(db, pupil.id, book.id);
      return {
        book: toBook(services.config, book),
        reading_sessions: sessions.map((session) => toReadingSession(session, hasWords)),
        meta: { reader_name: pupil.name, has_words: hasWords },
      };
    },
  },
});
