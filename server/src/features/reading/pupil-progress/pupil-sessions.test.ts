import { randomUUID } from 'node:crypto';
import type { IntakeSession } from '#contract/calls/reading-app.ts';
import { readingCalls } from '#contract/calls/reading.ts';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
const NOW = '2026-11-18T12:00:00.000Z';
let school: BuiltSchool;
beforeAll(async () => {
  school = await app.build.school();
});
beforeEach(() => app.setTime(NOW));

/** Pages of the books that these tests read. */
const PAGES: Record<number, number> = { 101: 9, 102: 9, 103: 12, 205: 12 };
/** A moment of November 2026. */
const on = (day: number, hour = 10) =>
  `2026-11-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;
const newPupil = async (classId: number | null = null) =>
  (await app.build.pupils(school, classId, ['Robin Reader']))[0] ?? school.unplaced;
const read = (pupilId: number, ...sessions: Partial<IntakeSession>[]) => app.build.reading(school, pupilId, sessions);
const completed = (book_id: number, started_at: string, more: Partial<IntakeSession> = {}) => ({
  book_id,
  started_at,
  has_completed_book: true,
  last_page: PAGES[book_id] ?? 0,
  ...more,
});
const summary = async (
  pupilId: number,
  query: { start_time?: string; end_time?: string } = {},
  token = school.admin.token,
) =>
  (await app.call(readingCalls.getPupilSummary, { params: { id: school.id, readerId: pupilId }, query, token })).reply;
const sessionsOf = async (pupilId: number, query = {}) => (await summary(pupilId, query)).reading_sessions;

describe('figures of a pupil’s summary', () => {
  test('the summary of a pupil who has not read is empty', async () => {
    const { id } = await newPupil();
    expect(await summary(id)).toEqual({
      total_reading_time: 0,
      average_reading_time: null,
      books_completed: 0,
      books_in_progress: 0,
      books_not_started: 0,
      reading_sessions: [],
    });
  });

  test('the summary has the reading time of all sessions in the range and the rounded average over distinct books', async () => {
    const { id } = await newPupil();
    await read(
      id,
      { book_id: 101, started_at: on(2), reading_time: 100 },
      { book_id: 101, started_at: on(3), reading_time: 31 },
      { book_id: 103, started_at: on(4), reading_time: 50 },
    );
    expect(await summary(id)).toMatchObject({ total_reading_time: 181, average_reading_time: 91 });
    expect(await summary(id, { start_time: on(3), end_time: on(3) })).toMatchObject({
      total_reading_time: 31,
      average_reading_time: 31,
    });
  });

  test('the summary counts a completed book once, however often it was completed in the range', async () => {
    const { id } = await newPupil();
    await read(
      id,
      { book_id: 101, started_at: on(1) },
      completed(101, on(3)),
      completed(101, on(5)),
      completed(103, on(6)),
      { book_id: 205, started_at: on(6) },
    );
    expect(await summary(id)).toMatchObject({ books_completed: 2, books_in_progress: 1 });
    expect(await summary(id, { start_time: on(3), end_time: on(5) })).toMatchObject({
      books_completed: 1,
      books_in_progress: 0,
    });
  });

  test('the summary counts a book as in progress when it was read in the range and not completed by the end', async () => {
    const { id } = await newPupil();
    await read(id, { book_id: 101, started_at: on(2) }, completed(101, on(8)));
    expect(await summary(id, { end_time: on(7) })).toMatchObject({ books_completed: 0, books_in_progress: 1 });
    expect(await summary(id, { end_time: on(8) })).toMatchObject({ books_completed: 1, books_in_progress: 0 });
  });

  test('the summary does not count a completed book as in progress when it is read again', async () => {
    const { id } = await newPupil();
    await read(id, completed(101, on(2)), { book_id: 101, started_at: on(8) });
    expect(await summary(id, { start_time: on(8) })).toMatchObject({
      books_completed: 0,
      books_in_progress: 0,
      reading_sessions: [{ has_completed_book: false, was_completed_before: true }],
    });
    expect(await sessionsOf(id, { end_time: on(7) })).toMatchObject([
      { has_completed_book: true, was_completed_before: false },
    ]);
    expect(await summary(id)).toMatchObject({ books_completed: 1, books_in_progress: 0 });
  });

  test('the summary counts an assigned book as not started until the pupil opens it, whether assigned to the class or the pupil', async () => {
    const classId = await app.build.newClass(school, `Class ${randomUUID()}`);
    const { id } = await newPupil(classId);
    await app.build.assign(school, { classId }, [101, 102]);
    await app.build.assign(school, { pupilId: id }, [102, 103, 205]);
    expect((await summary(id)).books_not_started).toBe(4);
    await read(id, { book_id: 101, started_at: on(2) }, { book_id: 107, started_at: on(2), last_page: 1 });
    expect((await summary(id)).books_not_started).toBe(3);
    // Opened before the range: not in progress in it, but started all the same.
    expect(await summary(id, { start_time: on(10) })).toMatchObject({ books_not_started: 3, books_in_progress: 0 });
    await app.build.move(school, id, null);
    expect((await summary(id)).books_not_started).toBe(3);
  });

  test("the summary excludes other pupils' reading", async () => {
    const [pupil, classmate] = [await newPupil(), await newPupil()];
    await read(pupil.id, { started_at: on(2), reading_time: 77 });
    await read(classmate.id, completed(101, on(3), { reading_time: 5 }));
    expect(await summary(pupil.id)).toMatchObject({ total_reading_time: 77, books_completed: 0, books_in_progress: 1 });
  });
});

describe('sessions of a pupil’s summary', () => {
  test('the summary lists the latest session of each book in the range, newest first', async () => {
    const { id } = await newPupil();
    const [, second, third, fourth] = await read(
      id,
      { book_id: 101, started_at: on(2) },
      { book_id: 101, started_at: on(4) },
      { book_id: 103, started_at: on(3) },
      { book_id: 101, started_at: on(9) },
    );
    expect((await sessionsOf(id)).map((row) => row.id)).toEqual([fourth, third]);
    expect((await sessionsOf(id, { end_time: on(5) })).map((row) => row.id)).toEqual([second, third]);
  });

  test('the summary shows a session as it was sent', async () => {
    const { id } = await newPupil();
    const [sessionId] = await read(id, {
      book_id: 103,
      started_at: '2026-11-02T10:00:00.500+01:00',
      reading_time: 90,
      last_page: 4,
      words_attempted: 40,
      words_correct: 31,
      heatmap: [10, -1, 0, 55],
      played_words: ['ship', 'shell'],
      skipped_words: ['fish'],
    });
    expect(await sessionsOf(id)).toEqual([
      {
        id: sessionId,
        book_id: 103,
        book_title: 'Fish and Chips on the Ship',
        date: '2026-11-02T09:00:00.500Z',
        reading_time: 90,
        total_reading_time: 90,
        accuracy: null,
        range_progressive_accuracy: 77.5,
        has_completed_book: false,
        was_completed_before: false,
        words_correct_per_minute: 21,
        last_page: 4,
        heatmap: [10, -1, 0, 55],
        played_words: ['ship', 'shell'],
        skipped_words: ['fish'],
        is_reading: true,
        clock: null,
      },
    ]);
  });

  test('the total reading time of a session includes earlier sessions with the book, also before the range', async () => {
    const { id } = await newPupil();
    await read(
      id,
      { book_id: 101, started_at: on(1), reading_time: 100 },
      { book_id: 103, started_at: on(2), reading_time: 70 },
      { book_id: 101, started_at: on(3), reading_time: 30 },
      { book_id: 101, started_at: on(5), reading_time: 3 },
    );
    expect((await sessionsOf(id, { start_time: on(3), end_time: on(4) }))[0]).toMatchObject({
      reading_time: 30,
      total_reading_time: 130,
    });
    expect((await sessionsOf(id, { start_time: on(5) }))[0]).toMatchObject({
      reading_time: 3,
      total_reading_time: 130,
    });
  });

  test('the accuracy of a session is weighted by words over the sessions of one reading of the book', async () => {
    const { id } = await newPupil();
    await read(
      id,
      { started_at: on(1), words_attempted: 10, words_correct: 1 },
      completed(101, on(2), { words_attempted: 90, words_correct: 80 }),
    );
    expect(await sessionsOf(id)).toMatchObject([{ accuracy: 81, range_progressive_accuracy: 81 }]);
    expect(await sessionsOf(id, { end_time: on(1) })).toMatchObject([
      { accuracy: null, range_progressive_accuracy: 10 },
    ]);
  });

  test('a new reading of a book begins after a completion', async () => {
    const { id } = await newPupil();
    await read(
      id,
      completed(101, on(1), { words_attempted: 100, words_correct: 10 }),
      { started_at: on(2), words_attempted: 10, words_correct: 9 },
      { started_at: on(3), words_attempted: 10, words_correct: 7 },
      completed(101, on(4), { words_attempted: 20, words_correct: 20 }),
      { started_at: on(5), words_attempted: 4, words_correct: 1 },
    );
    const at = async (day: number) => (await sessionsOf(id, { end_time: on(day) }))[0];
    expect(await at(1)).toMatchObject({ accuracy: 10, range_progressive_accuracy: 10 });
    expect(await at(2)).toMatchObject({ accuracy: null, range_progressive_accuracy: 90 });
    expect(await at(3)).toMatchObject({ accuracy: null, range_progressive_accuracy: 80 });
    expect(await at(4)).toMatchObject({ accuracy: 90, range_progressive_accuracy: 90 });
    expect(await at(5)).toMatchObject({ accuracy: null, range_progressive_accuracy: 25 });
  });

  test('a session without attempted words has no accuracy', async () => {
    const { id } = await newPupil();
    await read(id, completed(101, on(1), { words_attempted: 0, words_correct: 0 }));
    expect(await sessionsOf(id)).toMatchObject([
      { accuracy: null, range_progressive_accuracy: null, words_correct_per_minute: 0 },
    ]);
  });

  test.each([
    [9, 50, null],
    [10, 1, 6],
    [10, 0, 0],
    [60, 50, 50],
    [61, 50, 50],
    [59, 50, 51],
    [0, 50, null],
  ])(
    'a session of %i seconds and %i correct words has %s words a minute, rounded up',
    async (reading_time, words_correct, expected) => {
      const { id } = await newPupil();
      await read(id, { started_at: on(1), reading_time, words_attempted: 60, words_correct });
      expect((await sessionsOf(id))[0]?.words_correct_per_minute).toBe(expected);
    },
  );
});

describe('range of a pupil’s summary', () => {
  test('the range of the summary includes both its ends', async () => {
    const { id } = await newPupil();
    const [first, second] = await read(id, { book_id: 101, started_at: on(2) }, { book_id: 103, started_at: on(4) });
    expect((await sessionsOf(id, { start_time: on(2), end_time: on(4) })).map((row) => row.id)).toEqual([
      second,
      first,
    ]);
    expect(
      await sessionsOf(id, { start_time: '2026-11-02T10:00:00.001Z', end_time: '2026-11-04T09:59:59.999Z' }),
    ).toEqual([]);
    expect(
      (await sessionsOf(id, { start_time: '2026-11-02T11:00:00+01:00', end_time: '2026-11-04T05:00:00-05:00' })).map(
        (row) => row.id,
      ),
    ).toEqual([second, first]);
  });

  test('the range of the summary is from 2018 until now by default', async () => {
    const { id } = await newPupil();
    await read(
      id,
      { book_id: 101, started_at: '2018-01-01T00:00:00Z', reading_time: 50 },
      { book_id: 103, started_at: NOW, reading_time: 60 },
    );
    expect((await summary(id)).total_reading_time).toBe(110);
    app.setTime('2026-11-18T11:59:59.999Z');
    expect((await summary(id)).total_reading_time).toBe(50);
  });

  test('the range of the summary can end in the future, at the end of today', async () => {
    const { id } = await newPupil();
    await read(id, { started_at: NOW, reading_time: 60 });
    expect(
      (await summary(id, { start_time: '2026-11-01T00:00:00Z', end_time: '2026-11-18T23:59:59Z' })).total_reading_time,
    ).toBe(60);
  });

  test('the range of the summary can start and end at the same moment', async () => {
    const { id } = await newPupil();
    expect((await summary(id, { start_time: on(3), end_time: on(3) })).total_reading_time).toBe(0);
  });

  test.each([
    'start_time=2026-11-05T00:00:00Z&end_time=2026-11-04T00:00:00Z',
    'start_time=2026-11-05T10:00:00%2B02:00&end_time=2026-11-05T07:59:59Z',
    'start_time=2026-11-05',
    'start_time=2026-11-05T00:00:00',
    'start_time=yesterday',
    'start_time=',
    'end_time=2026-02-30T00:00:00Z',
    'end_time=2026-13-01T00:00:00Z',
    'end_time=2026-11-05T24:00:01Z',
    'start_time=0000-01-01T00:00:00Z',
    'start_time=0001-01-01T00:00:00Z',
    'start_time=1970-01-01T00:00:00Z',
    'end_time=9999-12-31T23:59:59-23:59',
    'end_time=9999-12-31T23:59:59Z',
    'start_time=99999-01-01T00:00:00Z',
    'start_time[]=2026-11-05T00:00:00Z',
  ])('%s is rejected with an error for start_time or end_time', async (query) => {
    const { id } = school.unplaced;
    const { status, error } = await app.ask('GET', `/enterprises/${school.id}/readers/${id}/summary?${query}`, {
      token: school.admin.token,
    });
    expect(status).toBe(422);
    expect(Object.keys(error.errors ?? {}).join()).toMatch(/^(start|end)_time/);
  });
});

test('a teacher sees the summary of every pupil of the school, and of no pupil of another school', async () => {
  const [pupil] = school.otherClass.pupils;
  await read(pupil?.id ?? 0, { started_at: on(2), reading_time: 42 });
  expect((await summary(pupil?.id ?? 0, {}, school.teacher.token)).total_reading_time).toBe(42);
  const stranger = await app.build.school();
  const { status } = await app.call(readingCalls.getPupilSummary, {
    params: { id: stranger.id, readerId: pupil?.id ?? 0 },
    token: stranger.admin.token,
  });
  expect(status).toBe(404);
});

test('the figures of the summary agree with the sessions for any reading and any range', async () => {
  const book = fc.constantFrom(101, 102, 103, 205);
  const session = fc.record({
    book_id: book,
    day: fc.integer({ min: 1, max: 12 }),
    reading_time: fc.oneof(fc.constantFrom(0, 29, 30), fc.nat(500)),
    words: fc.oneof(fc.constantFrom(0, 1), fc.nat(50)),
    completed: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(session, { maxLength: 15 }),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(11),
      async (sessions, first, length) => {
        const { id } = await newPupil();
        const all = sessions.map(({ book_id, day, reading_time, words, completed: done }, n) => ({
          book_id,
          started_at: `2026-11-${String(day).padStart(2, '0')}T10:00:${String(n).padStart(2, '0')}.000Z`,
          reading_time,
          words_attempted: words,
          words_correct: Math.floor(words / 2),
          has_completed_book: done,
          last_page: done ? (PAGES[book_id] ?? 0) : 1,
        }));
        await read(id, ...all);
        const [from, to] = [on(first, 0), on(Math.min(first + length, 13), 23)];
        const inRange = all.filter(({ started_at }) => started_at >= from && started_at <= to);
        const books = [...new Set(inRange.map(({ book_id }) => book_id))];
        const before = (id_: number) => all.filter(({ book_id, started_at }) => book_id === id_ && started_at <= to);
        const isRead = (each: (typeof all)[number]) => each.reading_time >= 30 && each.words_attempted > 0;
        const ofReading = inRange.filter(isRead);
        const booksRead = new Set(ofReading.map(({ book_id }) => book_id)).size;
        const total = ofReading.reduce((sum, { reading_time }) => sum + reading_time, 0);
        const reply = await summary(id, { start_time: from, end_time: to });
        expect(reply).toMatchObject({
          total_reading_time: total,
          average_reading_time: booksRead === 0 ? null : Math.round(total / booksRead),
          books_completed: books.filter((bookId) =>
            inRange.some(({ book_id, has_completed_book }) => book_id === bookId && has_completed_book),
          ).length,
          books_in_progress: books.filter(
            (bookId) => !before(bookId).some(({ has_completed_book }) => has_completed_book),
          ).length,
        });
        expect(reply.reading_sessions.map(({ book_id }) => book_id).sort()).toEqual(books.sort());
        for (const row of reply.reading_sessions)
          expect(row.total_reading_time).toBe(
            before(row.book_id)
              .filter(isRead)
              .reduce((sum, { reading_time }) => sum + reading_time, 0),
          );
      },
    ),
    { numRuns: 20 },
  );
});
