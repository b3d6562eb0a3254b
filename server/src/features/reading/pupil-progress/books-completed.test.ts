import { chartCalls } from '#contract/calls/charts.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { readingCalls } from '#contract/calls/reading.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, makeSession } from '../../../testing/builder.ts';

const app = testApp();
/** The Monday after the week under test, and that week in London, in winter time. */
const NOW = '2026-11-23T07:00:00.000Z';
const WEEK = { start_date: '2026-11-16', end_date: '2026-11-22' };
const RANGE = { start_time: '2026-11-16T00:00:00.000Z', end_time: '2026-11-22T23:59:59.999Z' };

/** Books at levels 1, 1, 2 and 5, with their numbers of pages. */
const BOOKS = [
  [101, 9],
  [102, 9],
  [103, 12],
  [205, 12],
] as const;
const anySession = fc
  .record({
    pupil: fc.nat(3),
    book: fc.constantFrom(...BOOKS),
    /** Seconds from the Friday before until the following Monday; half of them near midnight. */
    second: fc.oneof(
      fc.nat(10 * 86_400 + 3600),
      fc.tuple(fc.nat(10), fc.integer({ min: -2, max: 2 })).map(([day, by]) => Math.max(0, day * 86_400 + by)),
    ),
    isCompleted: fc.boolean(),
  })
  .map(({ pupil, book: [book_id, pages], second, isCompleted }) => ({
    pupil,
    session: makeSession({
      book_id,
      started_at: new Date(Date.parse('2026-11-13T00:00:00Z') + second * 1000).toISOString(),
      has_completed_book: isCompleted,
      last_page: isCompleted ? pages : 1,
    }),
  }));

/** Book 101 on two days of the week, twice on one of them: a case that random data may miss. */
const onTwoDays = ['2026-11-17T09:00:00Z', '2026-11-17T15:00:00Z', '2026-11-19T09:00:00Z'].map((started_at) => ({
  pupil: 0,
  session: makeSession({ book_id: 101, started_at, has_completed_book: true, last_page: 9 }),
}));

/** Books completed in the week by pupil ID, from the chart and each pupil's page. */
async function readEverywhere(school: BuiltSchool, pupils: readonly { id: number }[]) {
  const { token } = school.admin;
  const { reply } = await app.call(chartCalls.getChart, {
    token,
    query: { name: 'readers_read_books_by_reading_level', ...WEEK },
  });
  const total = reply.chart.series.find(({ level }) => level === null)?.data ?? [];
  const chart = new Map(reply.chart.reader_ids?.map((id, index) => [id, total[index]]));
  const byLevel = reply.chart.series.filter(({ level }) => level !== null);
  const chartLevels = new Map(
    reply.chart.reader_ids?.map((id, index) => [id, byLevel.reduce((sum, { data }) => sum + (data[index] ?? 0), 0)]),
  );
  const pages = new Map<number, number>();
  for (const { id } of pupils) {
    const params = { id: school.id, readerId: id };
    pages.set(
      id,
      (await app.call(readingCalls.getPupilSummary, { token, params, query: RANGE })).reply.books_completed,
    );
  }
  return { chart, chartLevels, pages, average: reply.chart.average, total: reply.chart.total };
}

test('the chart of books read and the pupil page count different books completed in the range', async () => {
  app.setTime(NOW);
  await fc.assert(
    fc.asyncProperty(
      fc.array(anySession, { minLength: 1, maxLength: 24 }),
      fc.nat(3),
      fc.nat(3),
      async (sessions, movedIndex, deletedIndex) => {
        const school = await app.build.school({ ownPupils: [], otherPupils: [] });
        const { token } = school.admin;
        const pupils: { id: number; className: string }[] = [];
        for (const className of ['Year 1 Owls', 'Year 2 Owls', 'Year 4 Owls', 'Year 6 Owls']) {
          const classId = await app.build.newClass(school, className);
          const [pupil] = await app.build.pupils(school, classId, [`Pupil of ${className}`]);
          if (pupil) pupils.push({ id: pupil.id, className });
        }
        for (const [index, { id }] of pupils.entries()) {
          const theirs = sessions.filter(({ pupil }) => pupil === index).map(({ session }) => session);
          // Sent twice, in two orders: repeats count once.
          await app.build.reading(school, id, theirs);
          await app.build.reading(school, id, theirs.toReversed());
        }
        const moved = pupils[movedIndex];
        if (moved) {
          moved.className = 'Year 5 Owls';
          await app.build.move(school, moved.id, await app.build.newClass(school, moved.className));
        }
        const deleted = pupils[deletedIndex];
        if (deleted) await app.call(classMembershipCalls.deletePupil, { token, params: { readerId: deleted.id } });
        const left = pupils.filter((pupil) => pupil !== deleted);

        const expected = new Map(
          left.map(({ id }) => [
            id,
            new Set(
              sessions
                .filter(({ pupil }) => pupils[pupil]?.id === id)
                .map(({ session }) => session)
                .filter(({ has_completed_book }) => has_completed_book)
                .filter(({ started_at }) => started_at >= RANGE.start_time && started_at <= RANGE.end_time)
                .map(({ book_id }) => book_id),
            ).size,
          ]),
        );
        const seen = await readEverywhere(school, left);
        const withUnassigned = new Map([...expected, [school.unplaced.id, 0]]);
        expect(seen.pages).toEqual(expected);
        expect(seen.chart).toEqual(withUnassigned);
        expect(seen.chartLevels).toEqual(withUnassigned);
        const sum = [...expected.values()].reduce((all, books) => all + books, 0);
        expect(seen).toMatchObject({ total: sum, average: sum / withUnassigned.size });
      },
    ),
    { numRuns: 8, examples: [[onTwoDays, 3, 2]] },
  );
});
