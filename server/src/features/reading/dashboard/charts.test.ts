import type { QueryInputOf } from '#contract/call.ts';
import { chartCalls, CHART_NAMES, type Chart, type ChartName } from '#contract/calls/charts.ts';
import type { IntakeSession } from '#contract/calls/reading-app.ts';
import { sql } from 'kysely';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { bucketsOf, bucketWidth } from './date-range.service.ts';

const app = testApp();
const NOW = '2026-11-18T12:00:00.000Z';
beforeEach(() => app.setTime(NOW));

const chart = async (
  school: BuiltSchool,
  name: ChartName,
  query: Omit<QueryInputOf<typeof chartCalls.getChart>, 'name'>,
  token = school.admin.token,
) => {
  const { status, reply, error } = await app.call(chartCalls.getChart, { query: { name, ...query }, token });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(error)}`);
  return reply.chart;
};

/** The day of a moment in a time zone, independently computed with `Intl`. */
const dayIn = (zone: string, at: Date) => {
  const part = new Map(
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${part.get('year')}-${part.get('month')}-${part.get('day')}`;
};

/** The first day of a day's bucket, by definition. */
const firstDayOf = (width: 'day' | 'week' | 'month', day: string): string => {
  if (width === 'day') return day;
  if (width === 'month') return `${day.slice(0, 7)}-01`;
  const at = new Date(`${day}T00:00:00Z`);
  return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10);
};

type Sum = { time: number; attempted: number; correct: number; books: number };
const MEASURE = {
  accuracy: ({ attempted, correct }: Sum) => (attempted === 0 ? null : (correct / attempted) * 100),
  reading_time: ({ time }: Sum) => time,
  read_books: ({ books }: Sum) => books,
};
const measureOf = (name: ChartName) =>
  name.includes('accuracy') ? 'accuracy' : name.includes('reading_time_by') ? 'reading_time' : 'read_books';

/** The chart by its definition, computed from the stored sessions and the pupils alone. */
async function expected(
  schoolId: number,
  name: ChartName,
  pupils: { id: number; name: string }[],
  from: string,
  to: string,
  zone = 'Europe/London',
): Promise<Chart> {
  const ids = pupils.map(({ id }) => id);
  const rows = await app.database.kysely
    .selectFrom('reading_sessions')
    .selectAll()
    .where('school_id', '=', schoolId)
    .execute();
  const inRange = rows
    .map((row) => ({ ...row, day: dayIn(zone, row.started_at) }))
    .filter((row) => ids.includes(row.pupil_id) && row.day >= from && row.day <= to);
  const kind = measureOf(name);
  const isRead = (row: (typeof inRange)[number]) => row.reading_time >= 30 && row.words_attempted > 0;
  const value = (some: typeof inRange) =>
    MEASURE[kind]({
      time: some.filter(isRead).reduce((sum, row) => sum + row.reading_time, 0),
      attempted: some.filter(isRead).reduce((sum, row) => sum + row.words_attempted, 0),
      correct: some.filter(isRead).reduce((sum, row) => sum + row.words_correct, 0),
      books: new Set(some.filter((row) => row.has_completed_book).map((row) => `${row.pupil_id} ${row.book_id}`)).size,
    });
  const overTime = name.endsWith('_over_time');
  const bucket = overTime ? bucketWidth(from, to) : null;
  const keys: (string | number)[] = bucket ? bucketsOf(bucket, from, to) : ids;
  const keyOf = (row: (typeof inRange)[number]) => (bucket ? firstDayOf(bucket, row.day) : row.pupil_id);
  // Only completed books count, and in other charts only reading.
  const counted = inRange.filter((row) => (kind === 'read_books' ? row.has_completed_book : isRead(row)));
  const levels = [...new Set(counted.map((row) => row.reading_level))].sort();
  const line = (level: number | null) =>
    keys.map((key) =>
      value(inRange.filter((row) => keyOf(row) === key && (level === null || row.reading_level === level))),
    );
  const all = value(inRange);
  return {
    name,
    labels: bucket ? keys.map(String) : pupils.map((pupil) => pupil.name),
    bucket,
    reader_ids: bucket ? null : ids,
    series: [
      ...levels.map((level) => ({ name: `Level ${level}`, level, data: line(level) })),
      { name: 'Total', level: null, data: line(null) },
    ],
    average: kind === 'accuracy' ? all : pupils.length === 0 ? null : Number(all) / pupils.length,
    total: kind === 'accuracy' ? null : all,
  };
}

describe('every chart', () => {
  const BOOKS = [
    [101, 9],
    [102, 9],
    [103, 12],
    [205, 12],
  ] as const;
  const anySession = fc.record({
    who: fc.nat(4),
    book: fc.constantFrom(...BOOKS),
    back: fc.oneof(fc.nat(10), fc.nat(60), fc.nat(400)),
    second: fc.nat(86_399),
    reading_time: fc.nat(4000),
    attempted: fc.nat(700),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    done: fc.boolean(),
  });
  const question = fc.record({
    name: fc.constantFrom(...CHART_NAMES),
    back: fc.oneof(fc.nat(10), fc.nat(60), fc.nat(400)),
    days: fc.oneof(fc.nat(12), fc.nat(60), fc.nat(400)),
  });

  test('every chart equals the sums of the sessions to the last digit, for any reading and any query', async () => {
    const today = '2026-11-18';
    const minus = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
    await fc.assert(
      fc.asyncProperty(
        fc.array(anySession, { maxLength: 25 }),
        fc.array(question, { minLength: 6, maxLength: 6 }),
        async (sessions, questions) => {
          const school = await app.build.school({ ownPupils: ['Ada', 'Ben', 'Cleo'], otherPupils: ['Dot'] });
          const pupils = [...school.ownClass.pupils, ...school.otherClass.pupils, school.unplaced];
          for (const [index, { id }] of pupils.entries()) {
            const theirs = sessions
              .filter(({ who }) => who === index)
              .map(
                ({
                  book: [book_id, pages],
                  back,
                  second,
                  reading_time,
                  attempted,
                  share,
                  done,
                }): Partial<IntakeSession> => ({
                  book_id,
                  started_at: new Date(
                    Math.min(Date.parse(minus(back)) + second * 1000, Date.parse(NOW)),
                  ).toISOString(),
                  reading_time,
                  words_attempted: attempted,
                  words_correct: Math.floor(attempted * share),
                  has_completed_book: done,
                  last_page: done ? pages : 1,
                }),
              );
            await app.build.reading(school, id, theirs);
          }
          for (const { name, back, days } of questions) {
            const [from, to] = [minus(back + days), minus(back)];
            const dates = { start_date: from, end_date: to };
            expect(await chart(school, name, dates)).toEqual(await expected(school.id, name, pupils, from, to));
            const own = school.ownClass.pupils;
            expect(await chart(school, name, { ...dates, group_id: String(school.ownClass.id) })).toEqual(
              await expected(school.id, name, own, from, to),
            );
            expect(await chart(school, name, dates, school.teacher.token)).toEqual(
              await expected(school.id, name, own, from, to),
            );
            const unplaced = [school.unplaced];
            expect(await chart(school, name, { ...dates, reader_id: String(school.unplaced.id) })).toEqual(
              await expected(school.id, name, unplaced, from, to),
            );
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  test('charts count days in the school’s own time zone', async () => {
    const school = await app.build.school({ timeZone: 'Asia/Kolkata' });
    await app.build.reading(
      school,
      school.unplaced.id,
      ['2026-11-15T18:29:59Z', '2026-11-15T18:30:00Z', '2026-11-16T18:30:00Z'].map((started_at, n) => ({
        started_at,
        reading_time: 100 * 10 ** n,
      })),
    );
    const pupils = [...school.ownClass.pupils, ...school.otherClass.pupils, school.unplaced].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
    const name = 'group_reading_time_by_reading_level_over_time';
    const reply = await chart(school, name, { start_date: '2026-11-15', end_date: '2026-11-17' });
    expect(reply.series.at(-1)?.data).toEqual([100, 1000, 10_000]);
    expect(reply.series).toEqual(
      (await expected(school.id, name, pupils, '2026-11-15', '2026-11-17', 'Asia/Kolkata')).series,
    );
    // A timestamp counts as the day on which it falls in the school's time zone.
    expect(await chart(school, name, { start_date: '2026-11-14T18:30:00Z', end_date: '2026-11-17T18:29:59Z' })).toEqual(
      reply,
    );
  });
});

describe('a chart', () => {
  let school: BuiltSchool;
  const dates = { start_date: '2026-11-16', end_date: '2026-11-18' };
  beforeAll(async () => {
    school = await app.build.school({ ownPupils: ['Zoë', 'Ada'], otherPupils: ['Finn'] });
    const [zoe, ada] = school.ownClass.pupils;
    await app.build.reading(school, zoe?.id ?? 0, [
      {
        started_at: '2026-11-16T09:00:00Z',
        book_id: 101,
        reading_time: 100,
        words_attempted: 10,
        words_correct: 10,
        has_completed_book: true,
        last_page: 9,
      },
      { started_at: '2026-11-18T09:00:00Z', book_id: 205, reading_time: 50, words_attempted: 90, words_correct: 0 },
    ]);
    await app.build.reading(school, ada?.id ?? 0, [
      { started_at: '2026-11-18T10:00:00Z', book_id: 101, reading_time: 30, words_attempted: 10, words_correct: 10 },
    ]);
    await app.build.reading(school, school.otherClass.pupils[0]?.id ?? 0, [
      { started_at: '2026-11-17T10:00:00Z', book_id: 103, reading_time: 37, words_attempted: 4, words_correct: 3 },
    ]);
  });

  test('a chart has a series for each level with reading, then the total; empty buckets are null for accuracy and 0 for time', async () => {
    expect(await chart(school, 'group_accuracy_by_reading_level_over_time', dates)).toEqual({
      name: 'group_accuracy_by_reading_level_over_time',
      labels: ['2026-11-16', '2026-11-17', '2026-11-18'],
      bucket: 'day',
      reader_ids: null,
      series: [
        { name: 'Level 1', level: 1, data: [100, null, 100] },
        { name: 'Level 2', level: 2, data: [null, 75, null] },
        { name: 'Level 5', level: 5, data: [null, null, 0] },
        { name: 'Total', level: null, data: [100, 75, 10] },
      ],
      average: (23 / 114) * 100,
      total: null,
    });
    const { series, average, total } = await chart(school, 'group_reading_time_by_reading_level_over_time', dates);
    expect(series.map(({ data }) => data)).toEqual([
      [100, 0, 30],
      [0, 37, 0],
      [0, 0, 50],
      [100, 37, 80],
    ]);
    expect({ average, total }).toEqual({ average: 217 / 4, total: 217 });
  });

  test('a chart by pupil names every pupil in order, including pupils without reading', async () => {
    const ids = [
      school.ownClass.pupils[1]?.id,
      school.otherClass.pupils[0]?.id,
      school.unplaced.id,
      school.ownClass.pupils[0]?.id,
    ];
    const time = await chart(school, 'readers_reading_time_by_reading_level', dates);
    expect(time).toMatchObject({
      labels: ['Ada', 'Finn', 'Mina Rahman', 'Zoë'],
      reader_ids: ids,
      bucket: null,
      average: 217 / 4,
      total: 217,
    });
    expect(time.series.at(-1)?.data).toEqual([30, 37, 0, 150]);
    const accuracy = await chart(school, 'readers_accuracy_by_reading_level', dates);
    // Weighted by words, not an average of averages; a pupil without reading has no accuracy.
    expect(accuracy.series.at(-1)?.data).toEqual([100, 75, null, 10]);
    expect(accuracy).toMatchObject({ average: (23 / 114) * 100, total: null });
    const books = await chart(school, 'readers_read_books_by_reading_level', dates);
    expect(books.series.at(-1)?.data).toEqual([0, 0, 0, 1]);
    expect(books).toMatchObject({ average: 1 / 4, total: 1 });
  });

  test('a book completed twice counts once, at the highest level it had then, and again in another range', async () => {
    const reread = await app.build.school({ ownPupils: ['Ada'], otherPupils: [] });
    const ada = reread.ownClass.pupils[0]?.id ?? 0;
    const complete = (started_at: string) =>
      app.build.reading(reread, ada, [{ started_at, book_id: 102, has_completed_book: true, last_page: 9 }]);
    const books = async (start_date: string, end_date: string) => {
      const query = { start_date, end_date, reader_id: String(ada) };
      const { series, total } = await chart(reread, 'readers_read_books_by_reading_level', query);
      return { levels: series.map(({ level, data }) => [level, data[0]]), total };
    };
    await complete('2026-11-12T09:00:00Z');
    await complete('2026-11-16T09:00:00Z');
    await complete('2026-11-16T15:00:00Z');
    await sql`update books set reading_level = 2 where id = 102`.execute(app.database.kysely);
    await complete('2026-11-17T09:00:00Z');
    await sql`update books set reading_level = 1 where id = 102`.execute(app.database.kysely);
    const once = (level: number) => ({
      levels: [
        [level, 1],
        [null, 1],
      ],
      total: 1,
    });
    expect(await books('2026-11-16', '2026-11-16')).toEqual(once(1));
    expect(await books('2026-11-16', '2026-11-18')).toEqual(once(2));
    expect(await books('2026-11-10', '2026-11-18')).toEqual(once(2));
    expect(await books('2026-11-10', '2026-11-15')).toEqual(once(1));
  });

  test('charts name buckets and pupils even without reading', async () => {
    const range = { start_date: '2026-10-01', end_date: '2026-10-02' };
    expect(await chart(school, 'group_accuracy_by_reading_level_over_time', range)).toMatchObject({
      labels: ['2026-10-01', '2026-10-02'],
      series: [{ name: 'Total', level: null, data: [null, null] }],
      average: null,
      total: null,
    });
    expect(await chart(school, 'readers_reading_time_by_reading_level', range)).toMatchObject({
      series: [{ name: 'Total', data: [0, 0, 0, 0] }],
      average: 0,
      total: 0,
    });
  });

  test('a chart of a class without pupils is empty and has no average', async () => {
    const classId = await app.build.newClass(school, 'No pupils yet');
    const reply = await chart(school, 'readers_reading_time_by_reading_level', { ...dates, group_id: String(classId) });
    expect(reply).toMatchObject({
      labels: [],
      reader_ids: [],
      series: [{ name: 'Total', data: [] }],
      average: null,
      total: 0,
    });
  });

  test('a chart of a class has the reading of a pupil from before they joined the class', async () => {
    const moved = await app.build.school({ ownPupils: ['Ada'], otherPupils: ['Finn'] });
    const [ada] = moved.ownClass.pupils;
    await app.build.reading(moved, ada?.id ?? 0, [{ started_at: '2026-11-16T09:00:00Z', reading_time: 42 }]);
    const totals = () =>
      Promise.all(
        [moved.ownClass.id, moved.otherClass.id].map(
          async (classId) =>
            (
              await chart(moved, 'group_reading_time_by_reading_level_over_time', {
                ...dates,
                group_id: String(classId),
              })
            ).total,
        ),
      );
    expect(await totals()).toEqual([42, 0]);
    await app.build.move(moved, ada?.id ?? 0, moved.otherClass.id);
    expect(await totals()).toEqual([0, 42]);
    expect(
      (await chart(moved, 'group_reading_time_by_reading_level_over_time', dates, moved.teacher.token)).total,
    ).toBe(0);
    expect((await chart(moved, 'group_reading_time_by_reading_level_over_time', dates)).total).toBe(42);
  });

  test('a chart excludes other schools', async () => {
    const otherSchool = await app.build.school();
    for (const query of [{ group_id: school.ownClass.id }, { reader_id: school.unplaced.id }]) {
      const search = new URLSearchParams({
        name: CHART_NAMES[0],
        ...dates,
        ...Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
      });
      const { status, error } = await app.ask('GET', `/charts?${search}`, { token: otherSchool.admin.token });
      expect({ status, type: error.error_type }).toEqual({ status: 404, type: 'not_found' });
    }
    expect((await chart(otherSchool, 'group_reading_time_by_reading_level_over_time', dates)).total).toBe(0);
  });
});
