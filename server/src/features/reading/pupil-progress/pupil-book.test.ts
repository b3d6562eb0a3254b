import { readingCalls } from '#contract/calls/reading.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let ada: { id: number; name: string };

beforeEach(async () => {
  school = await app.build.school();
  ada = school.ownClass.pupils[0] as typeof ada;
});

const getBook = (bookId: number) =>
  app.call(readingCalls.getPupilBook, {
    token: school.teacher.token,
    params: { id: school.id, readerId: ada.id, bookId },
  });

test('a book’s page has all of the pupil’s sessions with it, the newest first, with their totals', async () => {
  await app.build.assign(school, { classId: school.ownClass.id }, [101]);
  const words = { words_attempted: 100, words_correct: 80, reading_time: 60 };
  const ids = await app.build.reading(school, ada.id, [
    { started_at: '2026-11-02T09:00:00Z', ...words, last_page: 5 },
    { started_at: '2026-11-03T09:00:00Z', ...words, words_correct: 100, last_page: 9, has_completed_book: true },
    { started_at: '2026-11-04T09:00:00Z', ...words, words_correct: 50, last_page: 2, reading_time: 39 },
  ]);
  await app.build.reading(school, ada.id, [{ book_id: 102 }]);
  await app.build.reading(school, school.ownClass.pupils[1]?.id ?? 0, [{ book_id: 101 }]);
  const { book, reading_sessions: sessions, meta } = (await getBook(101)).reply;
  expect(meta.reader_name).toBe('Ada Baker');
  expect(book).toMatchObject({ id: 101, title: 'The Wet Pup', assigned_via: 'group', pages_count: 9 });
  expect(
    sessions.map((session) => [
      ids.indexOf(session.id),
      session.total_reading_time,
      session.accuracy,
      session.range_progressive_accuracy,
      session.words_correct_per_minute,
    ]),
  ).toEqual([
    // A new reading of the book begins after it was completed.
    [2, 159, null, 50, 77],
    [1, 120, 90, 90, 100],
    [0, 60, null, 80, 80],
  ]);
});

test('an unopened book has no sessions, an unknown one is 404, and a withdrawn one retains its history', async () => {
  expect((await getBook(205)).reply.reading_sessions).toEqual([]);
  expect((await getBook(999_999)).error).toMatchObject({
    code: 'book_not_found',
    error: 'We could not find this book.',
  });
  await app.build.reading(school, ada.id, [{ book_id: 707 }]);
  await app.database.kysely.updateTable('books').set({ withdrawn_at: new Date() }).where('id', '=', 707).execute();
  const { book, reading_sessions: sessions } = (await getBook(707)).reply;
  expect([book.title, sessions.length]).toEqual(['The Diary of Bernard, Class Hamster', 1]);
});
