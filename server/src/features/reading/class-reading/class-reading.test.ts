import { classReadingCalls } from '#contract/calls/class-reading.ts';
import { expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';

const app = testApp();

test('class reading has six weeks from Monday, and the accuracy of 42 days, for each pupil and the whole class', async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  const own = await app.build.school({ ownPupils: ['Ada', 'Ben', 'Cleo'] });
  const [ada, ben, cleo] = own.ownClass.pupils.map(({ id }) => id);
  const read = (
    pupil: number | undefined,
    started_at: string,
    reading_time: number,
    words_attempted: number,
    book_id = 101,
  ) =>
    app.build.reading(own, pupil ?? 0, [
      { started_at, reading_time, words_attempted, words_correct: words_attempted / 2, book_id },
    ]);
  // The evening before the six weeks, their first minute in London, the last Sunday, and this Monday; and before the 42 days.
  await read(ada, '2026-10-11T22:59:00Z', 1000, 1000);
  await read(ada, '2026-10-11T23:00:00Z', 60, 10);
  await read(ada, '2026-11-15T20:00:00Z', 30, 20);
  await read(ada, '2026-11-16T08:00:00Z', 100, 30, 205);
  await read(ben, '2026-10-01T08:00:00Z', 500, 10);
  const call = { params: { id: own.id, groupId: own.ownClass.id }, token: own.teacher.token };
  expect((await app.call(classReadingCalls.getClassReading, call)).reply.reading).toEqual({
    weeks: ['2026-10-12', '2026-10-19', '2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16'],
    readers: [
      {
        id: ada,
        name: 'Ada',
        last_read_on: '2026-11-16',
        reading_time_this_week: 100,
        accuracy: 50,
        words: 1060,
        reading_level: 5,
        weeks: [60, 0, 0, 0, 30, 100],
      },
      {
        id: ben,
        name: 'Ben',
        last_read_on: '2026-10-01',
        reading_time_this_week: 0,
        accuracy: null,
        words: 0,
        reading_level: null,
        weeks: [0, 0, 0, 0, 0, 0],
      },
      {
        id: cleo,
        name: 'Cleo',
        last_read_on: null,
        reading_time_this_week: 0,
        accuracy: null,
        words: 0,
        reading_level: null,
        weeks: [0, 0, 0, 0, 0, 0],
      },
    ],
    read_this_week: 1,
    reading_time_this_week: 100,
    accuracy: 50,
    words: 1060,
    in_school_hours: 0,
    outside_school_hours: 1190,
  });
  const stranger = await app.build.staff(own, 'teacher');
  expect((await app.call(classReadingCalls.getClassReading, { ...call, token: stranger.token })).status).toBe(200);
});
