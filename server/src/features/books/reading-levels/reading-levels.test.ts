import { readingLevelCalls } from '#contract/calls/reading-levels.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
beforeEach(async () => {
  school = await app.build.school();
});

const levelsFor = async (token: string) =>
  (await app.call(readingLevelCalls.listReadingLevels, { params: { id: school.id }, token })).reply.levels;

test('staff read the six levels with their book bands and, until an operator enters them, no ages', async () => {
  const levels = await levelsFor(school.teacher.token);
  expect(levels.map(({ level, book_band }) => `${level} ${book_band}`)).toEqual([
    '1 Yellow',
    '2 Green',
    '3 Orange',
    '4 Purple',
    '5 White',
    '6 Brown',
  ]);
  for (const { from_age, to_age } of levels) expect([from_age, to_age]).toEqual([null, null]);
});

test('an operator sets and removes the book band and ages of a level, for every school', async () => {
  const { token } = await app.build.operator();
  const set = (body: { book_band: string; from_age: number | null; to_age: number | null }) =>
    app.call(readingLevelCalls.updateReadingLevel, { params: { level: '3' }, body, token });
  const changed = { level: 3, book_band: 'Turquoise', from_age: 6, to_age: 7 };
  const { status, reply } = await set({ book_band: ' Turquoise ', from_age: 6, to_age: 7 });
  expect({ status, level: reply.levels[2] }).toEqual({ status: 200, level: changed });
  expect((await levelsFor(school.teacher.token))[2]).toEqual(changed);
  expect((await app.call(readingLevelCalls.listLevelsForOperators, { token })).reply.levels[2]).toEqual(changed);
  await set({ book_band: 'Orange', from_age: null, to_age: null });
  expect((await levelsFor(school.teacher.token))[2]).toMatchObject({
    book_band: 'Orange',
    from_age: null,
    to_age: null,
  });
});

test.each([
  [{ book_band: 'O', from_age: null, to_age: null }, 'book_band'],
  [{ book_band: 'O'.repeat(31), from_age: null, to_age: null }, 'book_band'],
  [{ book_band: 'Orange', from_age: 6, to_age: null }, 'to_age'],
  [{ book_band: 'Orange', from_age: null, to_age: 6 }, 'from_age'],
  [{ book_band: 'Orange', from_age: 7, to_age: 6 }, 'to_age'],
  [{ book_band: 'Orange', from_age: 2, to_age: 6 }, 'from_age'],
  [{ book_band: 'Orange', from_age: 6, to_age: 19 }, 'to_age'],
  [{ book_band: 'Orange', from_age: 6.5, to_age: 7 }, 'from_age'],
])('rejects the level %j at the field %s, and changes nothing', async (body, field) => {
  const { token } = await app.build.operator();
  const before = await levelsFor(school.teacher.token);
  const { status, error } = await app.call(readingLevelCalls.updateReadingLevel, {
    params: { level: '3' },
    body,
    token,
  });
  expect({ status, fields: Object.keys(error.errors ?? {}) }).toEqual({ status: 422, fields: [field] });
  expect(await levelsFor(school.teacher.token)).toEqual(before);
});
