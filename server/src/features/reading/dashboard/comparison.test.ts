import { chartCalls } from '#contract/calls/charts.ts';
import { termDateCalls } from '#contract/calls/term-dates.ts';
import { calendarOf, listSchoolDays, plusDays, type SchoolYear, usualYear } from '#contract/school-calendar.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { compareFigures, findPeriodBefore } from './comparison.service.ts';

const usual = calendarOf({}, null);
const describePeriods = (from: string, to: string, today = '2026-11-18') => {
  const periods = findPeriodBefore(usual, { from, to }, today);
  return periods && `${periods.range.to}: ${periods.schoolDays} from ${periods.before.from} to ${periods.before.to}`;
};

describe('the period before', () => {
  test.each([
    [
      'Monday and Tuesday, requested on Wednesday',
      '2026-11-16',
      '2026-11-18',
      '2026-11-17: 2 from 2026-11-12 to 2026-11-13',
    ],
    ['a week with its weekend', '2026-11-09', '2026-11-15', '2026-11-15: 5 from 2026-11-02 to 2026-11-08'],
    ['a school week without its weekend', '2026-11-09', '2026-11-13', '2026-11-13: 5 from 2026-11-02 to 2026-11-06'],
    [
      'a half-term from the one before, without the week off',
      '2026-11-02',
      '2026-12-18',
      '2026-11-17: 12 from 2026-10-08 to 2026-10-23',
    ],
    [
      'autumn from the end of summer, without the holiday',
      '2026-09-02',
      '2026-10-23',
      '2026-10-23: 38 from 2026-06-01 to 2026-07-22',
    ],
    ['a month that begins in the holiday', '2026-10-24', '2026-11-06', '2026-11-06: 5 from 2026-10-17 to 2026-10-23'],
  ])('%s', (_, from, to, expected) => {
    expect(describePeriods(from, to)).toBe(expected);
  });

  test.each([
    ['of today alone: it is not over', '2026-11-18', '2026-11-18'],
    ['of a weekend', '2026-11-14', '2026-11-15'],
    ['of a holiday', '2026-07-25', '2026-08-20'],
    ['of days before 2018', '2018-01-01', '2018-02-09'],
    ['of more school days than there were since 2018', '2022-01-01', '2026-11-17'],
  ])('the period before does not exist %s', (_, from, to) => {
    expect(describePeriods(from, to)).toBeUndefined();
  });

  test('the period before follows the school’s own term dates', () => {
    const own = usualYear(2026).map((half, index) => (index === 0 ? { from: '2026-09-07', to: '2026-10-16' } : half));
    const periods = findPeriodBefore(
      calendarOf({ 2026: own }, null),
      { from: '2026-11-02', to: '2026-11-06' },
      '2026-11-18',
    );
    expect(periods?.before).toEqual({ from: '2026-10-12', to: '2026-10-16' });
  });

  // An independent implementation of docs/reading-needs.md, day by day.
  const calendars = fc.constantFrom<Record<number, SchoolYear>>(
    {},
    { 2026: usualYear(2026).map((half, index) => (index === 1 ? { from: '2026-11-04', to: '2026-12-09' } : half)) },
  );
  const anyDay = fc.integer({ min: 0, max: 600 }).map((days) => plusDays('2025-05-01', days));
  test('the period before has as many school days, the last before the range, and no more days off at its ends than the range', () => {
    fc.assert(
      fc.property(calendars, anyDay, fc.oneof(fc.nat(9), fc.nat(120)), anyDay, (own, from, days, today) => {
        const calendar = calendarOf(own, null);
        const isSchoolDay = (day: string) => listSchoolDays(calendar, { from: day, to: day }).length > 0;
        const all = (first: string, last: string) => {
          const list: string[] = [];
          for (let day = first; day <= last; day = plusDays(day, 1)) list.push(day);
          return list;
        };
        const range = all(from, plusDays(from, days)).filter((day) => day < today);
        const count = range.filter(isSchoolDay).length;
        const periods = findPeriodBefore(calendar, { from, to: plusDays(from, days) }, today);
        if (count === 0) {
          expect(periods).toBeUndefined();
          return;
        }
        if (!periods) throw new Error('There are school days before.');
        const before = all(periods.before.from, periods.before.to);
        expect(periods.range).toEqual({ from, to: range.at(-1) });
        expect(periods.schoolDays).toBe(count);
        expect(before.filter(isSchoolDay)).toHaveLength(count);
        // Only days off separate the two.
        expect(all(plusDays(before.at(-1) ?? '', 1), plusDays(from, -1)).filter(isSchoolDay)).toEqual([]);
        const freeAtStart = (some: string[]) => some.findIndex(isSchoolDay);
        const freeAtEnd = (some: string[]) => freeAtStart(some.toReversed());
        expect(freeAtStart(before)).toBeLessThanOrEqual(freeAtStart(range));
        expect(freeAtEnd(before)).toBeLessThanOrEqual(freeAtEnd(range));
        // With fewer, every earlier school day is included.
        if (freeAtStart(before) < freeAtStart(range)) expect(isSchoolDay(plusDays(before[0] ?? '', -1))).toBe(true);
        if (freeAtEnd(before) < freeAtEnd(range)) expect(before.at(-1)).toBe(plusDays(from, -1));
      }),
      { numRuns: 150 },
    );
  });
});

describe('compared figures', () => {
  const periods = {
    range: { from: '2026-11-09', to: '2026-11-15' },
    before: { from: '2026-11-02', to: '2026-11-08' },
    schoolDays: 5,
  };
  const read = (reading_time: number, words_attempted: number, words_correct: number, books_completed = 0) => ({
    reading_time,
    words_attempted,
    words_correct,
    books_completed,
  });

  test('compared figures have the difference per pupil and in total', () => {
    expect(compareFigures(periods, 4, read(7200, 1000, 950, 5), read(4320, 500, 450, 9))).toEqual({
      start_date: '2026-11-02',
      end_date: '2026-11-08',
      until: '2026-11-15',
      school_days: 5,
      accuracy: 5,
      average_reading_time: 720,
      reading_time: 2880,
      average_books_completed: -1,
      books_completed: -4,
    });
  });

  test('a change of accuracy needs 100 words, and no figure is compared with a period of fewer', () => {
    expect(compareFigures(periods, 1, read(60, 99, 90), read(60, 100, 90))).toMatchObject({
      accuracy: null,
      reading_time: 0,
    });
    expect(compareFigures(periods, 1, read(60, 100, 90), read(60, 100, 90))?.accuracy).toBe(0);
    expect(compareFigures(periods, 1, read(60, 1000, 900), read(60, 99, 90))).toBeNull();
    expect(compareFigures(periods, 0, read(0, 0, 0), read(60, 1000, 900))).toBeNull();
  });
});

describe('comparison over the API', () => {
  const app = testApp({ NEW_STATISTICS: 'limited' });
  let school: BuiltSchool;
  const ask = async (query: Record<string, string | number>, token = school.admin.token) =>
    (
      await app.call(chartCalls.compareFigures, {
        query: { start_date: '2026-11-09', end_date: '2026-11-15', ...query },
        token,
      })
    ).reply.comparison;

  beforeAll(async () => {
    school = await app.build.school({ name: 'Storylark Lane', ownPupils: ['Ada', 'Ben'], otherPupils: ['Cleo'] });
    const [ada, ben] = school.ownClass.pupils.map(({ id }) => id);
    const at = (day: string, reading_time: number, words_correct: number, more = {}) => ({
      started_at: `${day}T09:00:00Z`,
      book_id: 101,
      reading_time,
      words_attempted: 100,
      words_correct,
      ...more,
    });
    const done = { has_completed_book: true, last_page: 9 };
    await app.build.reading(school, ada ?? 0, [
      at('2026-11-01', 9000, 10),
      at('2026-11-02', 100, 90),
      at('2026-11-08', 50, 80, done),
      at('2026-11-09', 300, 95, done),
      at('2026-11-10', 40, 95, done),
      at('2026-11-16', 9000, 10),
    ]);
    await app.build.reading(school, ben ?? 0, [at('2026-11-15', 35, 98, { book_id: 102, ...done })]);
    await app.build.reading(school, school.otherClass.pupils[0]?.id ?? 0, [at('2026-11-05', 1000, 50)]);
  });

  const days = { start_date: '2026-11-02', end_date: '2026-11-08', until: '2026-11-15', school_days: 5 };

  test('the API compares the figures of a class, a pupil, a teacher’s classes and the whole school', async () => {
    const own = {
      ...days,
      accuracy: 96 - 85,
      average_reading_time: (375 - 150) / 2,
      reading_time: 375 - 150,
      average_books_completed: (2 - 1) / 2,
      books_completed: 1,
    };
    expect(await ask({ group_id: school.ownClass.id })).toEqual(own);
    expect(await ask({}, school.teacher.token)).toEqual(own);
    expect(await ask({ reader_id: school.ownClass.pupils[0]?.id ?? 0 })).toMatchObject({
      accuracy: 95 - 85,
      reading_time: 340 - 150,
      books_completed: 0,
    });
    // Four pupils, one of them without a class.
    expect(await ask({})).toMatchObject({
      accuracy: 96 - (90 + 80 + 50) / 3,
      reading_time: 375 - 1150,
      average_reading_time: (375 - 1150) / 4,
    });
  });

  test('the comparison is null unless a pupil had read by the first day of the period before, and for today alone', async () => {
    expect(await ask({ reader_id: school.ownClass.pupils[1]?.id ?? 0 })).toBeNull();
    expect(await ask({ group_id: school.otherClass.id })).toBeNull();
    expect(await ask({ group_id: school.ownClass.id, start_date: '2026-11-02', end_date: '2026-11-15' })).toBeNull();
    expect(await ask({ start_date: '2026-11-18', end_date: '2026-11-18' })).toBeNull();
  });

  test('the comparison follows the school’s own term dates', async () => {
    const otherSchool = await app.build.school({ name: 'Storylark Hill', ownPupils: ['Ada'] });
    const read = (day: string, reading_time: number) => ({
      started_at: `${day}T09:00:00Z`,
      reading_time,
      words_attempted: 200,
      words_correct: 200,
    });
    await app.build.reading(otherSchool, otherSchool.ownClass.pupils[0]?.id ?? 0, [
      read('2026-10-01', 70),
      read('2026-10-15', 30),
      read('2026-10-22', 100),
      read('2026-11-05', 1000),
    ]);
    const change = async () =>
      (await ask({ start_date: '2026-11-02', end_date: '2026-11-06' }, otherSchool.admin.token))?.reading_time;
    expect(await change()).toBe(900);
    const halves = usualYear(2026).map(({ from, to }, index) => ({
      first_day: from,
      last_day: index === 0 ? '2026-10-16' : to,
    }));
    await app.call(termDateCalls.updateTermDates, {
      params: { id: otherSchool.id },
      body: { academic_year: 2026, half_terms: halves },
      token: otherSchool.admin.token,
    });
    expect(await change()).toBe(970);
  });

  test('the comparison requires the new statistics', async () => {
    const without = await app.build.school();
    const { status, error } = await app.ask('GET', '/charts/comparison?start_date=2026-11-09&end_date=2026-11-15', {
      token: without.admin.token,
    });
    expect({ status, code: error.error_type }).toEqual({ status: 404, code: 'not_found' });
  });
});
