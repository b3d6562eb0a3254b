import { chartCalls } from '#contract/calls/charts.ts';
import { classReadingCalls } from '#contract/calls/class-reading.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
/** A Friday, so that the current week is shown. */
const FRIDAY = '2026-11-20';

async function getLine(school: BuiltSchool, query: Record<string, string> = {}, token = school.admin.token) {
  const reply = await app.call(classReadingCalls.getReadingLine, { params: { id: school.id }, query, token });
  return { ...reply, line: reply.reply.line };
}

const anySession = fc
  .record({
    pupil: fc.nat(4),
    hoursAgo: fc.nat(60 * 24),
    book_id: fc.constantFrom(101, 205),
    reading_time: fc.integer({ min: 1, max: 900 }),
  })
  .map(({ hoursAgo, ...rest }) => ({
    ...rest,
    started_at: new Date(Date.parse(`${FRIDAY}T12:00:00Z`) - hoursAgo * 3_600_000).toISOString(),
  }));

test('the line, the class table, the headline and the chart agree on minutes, pupils who read and levels', async () => {
  app.setTime(`${FRIDAY}T12:00:00.000Z`);
  const sessions = fc.sample(anySession, { numRuns: 40, seed: 7 });
  const school = await app.build.school({ ownPupils: ['Ada', 'Ben', 'Cleo'], otherPupils: ['Dev', 'Eve'] });
  const pupils = [...school.ownClass.pupils, ...school.otherClass.pupils];
  for (const [pupil, own] of Map.groupBy(sessions, ({ pupil: index }) => index))
    await app.build.reading(
      school,
      pupils[pupil]?.id ?? 0,
      own.map(({ pupil: _, ...session }) => session),
    );
  const { token } = school.admin;
  const params = { id: school.id };
  const whole = (await getLine(school)).line;
  for (const schoolClass of [school.ownClass, school.otherClass]) {
    const { line } = await getLine(school, { group_id: String(schoolClass.id) });
    const table = (
      await app.call(classReadingCalls.getClassReading, { params: { ...params, groupId: schoolClass.id }, token })
    ).reply.reading;
    expect(
      line.readers.map(({ id, name, reading_time, reading_level }) => ({ id, name, reading_time, reading_level })),
    ).toEqual(
      table.readers.map(({ id, name, reading_time_this_week, reading_level }) => ({
        id,
        name,
        reading_time: reading_time_this_week,
        reading_level,
      })),
    );
    const ofClass = whole.readers.find(({ id }) => id === schoolClass.id);
    expect(ofClass).toMatchObject({
      reading_time: table.reading_time_this_week,
      readers: table.read_this_week,
      pupils: table.readers.length,
    });
  }
  const { week } = (await app.call(readingNeedsCalls.listReadingNeeds, { params, token })).reply;
  const sum = (key: 'reading_time' | 'readers' | 'pupils') => whole.readers.reduce((total, row) => total + row[key], 0);
  expect({ from: whole.from, to: whole.to }).toEqual({ from: week.from, to: week.to });
  expect([sum('readers'), sum('reading_time'), sum('pupils')]).toEqual([week.readers, week.reading_time, week.pupils]);
  const { chart } = (
    await app.call(chartCalls.getChart, {
      query: { name: 'readers_reading_time_by_reading_level', start_date: whole.from, end_date: whole.to },
      token,
    })
  ).reply;
  expect(chart.total).toBe(sum('reading_time'));
});

test('the line has the median of all pupils, their levels, and each class once for the whole school', async () => {
  app.setTime(`${FRIDAY}T12:00:00.000Z`);
  const school = await app.build.school({ ownPupils: ['Ada', 'Ben', 'Cleo', 'Dan'], otherPupils: ['Eve'] });
  const [ada, ben, cleo] = school.ownClass.pupils.map(({ id }) => id);
  const read = (pupil: number | undefined, started_at: string, reading_time: number, book_id = 101) =>
    app.build.reading(school, pupil ?? 0, [{ started_at, reading_time, book_id }]);
  await read(ada, '2026-11-16T09:00:00Z', 80);
  await read(ada, '2026-11-17T09:00:00Z', 40, 205);
  await read(ben, '2026-11-18T09:00:00Z', 60);
  await read(cleo, '2026-11-15T09:00:00Z', 600, 205);
  const { line } = await getLine(school, { group_id: String(school.ownClass.id) });
  expect(line).toMatchObject({ from: '2026-11-16', to: FRIDAY, is_current_week: true, of: 'pupils' });
  expect(line.readers.map((row) => [row.name, row.readers, row.reading_time, row.reading_level])).toEqual([
    ['Ada', 1, 120, 5],
    ['Ben', 1, 60, 1],
    ['Cleo', 0, 0, 5],
    ['Dan', 0, 0, null],
  ]);
  expect(line.median_reading_time).toBe(30);

  const whole = (await getLine(school)).line;
  expect(whole.of).toBe('classes');
  expect(whole.readers.map((row) => [row.id, row.pupils, row.readers, row.reading_time, row.reading_level])).toEqual(
    [[school.ownClass, 4, 2, 180, 5] as const, [school.otherClass, 1, 0, 0, null] as const]
      .toSorted(([first], [second]) => first.name.localeCompare(second.name))
      .map(([{ id }, ...figures]): (number | null)[] => [id, ...figures])
      // The school of the test has a pupil without a class.
      .concat([[null, 1, 0, 0, null]]),
  );

  const before = (await getLine(school, { group_id: String(school.ownClass.id), week: '2026-11-11' })).line;
  expect(before).toMatchObject({ from: '2026-11-09', to: '2026-11-15', is_current_week: false });
  expect(before.readers.map(({ reading_time, reading_level }) => [reading_time, reading_level])).toEqual([
    [0, null],
    [0, null],
    [600, 5],
    [0, null],
  ]);
});

test('a teacher sees only their own classes together, any class on its own, and no week that has not begun', async () => {
  app.setTime('2026-11-16T12:00:00.000Z');
  const school = await app.build.school({ ownPupils: ['Ada'], otherPupils: ['Ben'] });
  const { token } = school.teacher;
  const { line } = await getLine(school, {}, token);
  // Their only class is shown by pupil.
  expect(line).toMatchObject({ of: 'pupils', readers: [{ name: 'Ada' }] });
  // On a Monday the week shown is the last one.
  expect(line).toMatchObject({ from: '2026-11-09', to: '2026-11-15', is_current_week: false });
  expect((await getLine(school, { group_id: String(school.otherClass.id) }, token)).status).toBe(200);
  expect((await getLine(school, { week: '2026-11-16' }, token)).line.is_current_week).toBe(true);
  expect((await getLine(school, { week: '2026-11-17' }, token)).status).toBe(422);
  const otherSchool = await app.build.school();
  expect((await getLine(school, { group_id: String(otherSchool.ownClass.id) }, token)).status).toBe(404);
});

test('a best week exceeds three earlier weeks of the school year, and first books are named in their week only', async () => {
  app.setTime(`${FRIDAY}T12:00:00.000Z`);
  const school = await app.build.school({ ownPupils: ['Ada', 'Ben'] });
  const [ada, ben] = school.ownClass.pupils.map(({ id }) => id);
  const read = (pupil: number | undefined, day: string, reading_time: number, has_completed_book = false) =>
    app.build.reading(school, pupil ?? 0, [
      { started_at: `${day}T09:00:00Z`, reading_time, has_completed_book, ...(has_completed_book && { last_page: 9 }) },
    ]);
  const ownClass = { group_id: String(school.ownClass.id) };
  const lineOf = async (week?: string) => (await getLine(school, { ...ownClass, ...(week && { week }) })).line;
  // Of the last school year.
  await read(ada, '2026-07-08', 3000);
  await read(ada, '2026-11-02', 100);
  await read(ada, '2026-11-09', 90, true);
  await read(ben, FRIDAY, 101);
  expect((await lineOf()).is_best_week).toBe(false);
  await read(ben, '2026-10-12', 50);
  expect((await lineOf()).is_best_week).toBe(true);
  await read(ben, '2026-10-13', 51);
  expect((await lineOf()).is_best_week).toBe(false);
  await read(ada, FRIDAY, 30, true);
  await read(ben, FRIDAY, 30, true);
  expect((await lineOf()).is_best_week).toBe(true);
  expect((await lineOf()).first_books).toEqual([{ id: ben, name: 'Ben' }]);
  expect((await lineOf('2026-11-09')).first_books).toEqual([{ id: ada, name: 'Ada' }]);
  expect((await getLine(school)).line).toMatchObject({ is_best_week: true, first_books: [] });
});
