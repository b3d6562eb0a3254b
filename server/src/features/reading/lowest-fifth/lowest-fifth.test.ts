import { lowestFifthCalls } from '#contract/calls/lowest-fifth.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { recordViewCalls } from '#contract/calls/record-views.ts';
import type { QueryInputOf } from '#contract/call.ts';
import type { YearGroup } from '#contract/year-group.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let ids: Record<string, number>;
const own = ['Ada', 'Ben', 'Cleo', 'Dev', 'Eva', 'Finn', 'Gus'];

beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  school = await app.build.school({ ownPupils: own, otherPupils: ['Hal', 'Ida'] });
  ids = Object.fromEntries(
    [...school.ownClass.pupils, ...school.otherClass.pupils, school.unplaced].map(({ id, name }) => [name, id]),
  );
});

const setYear = async (names: readonly string[], code: YearGroup | null) => {
  await app.database.kysely
    .updateTable('pupils')
    .set({ year_group: code, year_group_since: code && '2026-09-01' })
    .where(
      'id',
      'in',
      names.map((name) => ids[name] ?? 0),
    )
    .execute();
};

/** Level 1 or 2. */
const BOOKS = { 1: 101, 2: 103 } as const;
const read = (name: string, day: string, level: 1 | 2, words_correct: number, more: object = {}) =>
  app.build.reading(school, ids[name] ?? 0, [
    { started_at: `${day}T10:00:00.000Z`, book_id: BOOKS[level], words_attempted: 100, words_correct, ...more },
  ]);

const list = async (query: QueryInputOf<typeof lowestFifthCalls.listLowestFifth> = {}, token = school.admin.token) => {
  const { reply } = await app.call(lowestFifthCalls.listLowestFifth, { params: { id: school.id }, query, token });
  return reply.lowest_fifth;
};

test('the lowest fifth is chosen among the current pupils of the year group on that day, in all classes', async () => {
  await setYear(['Ada', 'Ben', 'Cleo', 'Hal', 'Ida'], '3');
  await setYear(['Dev'], '4');
  await setYear(['Eva'], 'X');
  for (const [name, correct] of [
    ['Ada', 95],
    ['Ben', 94],
    ['Cleo', 93],
    ['Hal', 92],
    ['Ida', 99],
    ['Dev', 10],
    ['Eva', 10],
    ['Finn', 10],
  ] as const)
    await read(name, '2026-11-16', 1, correct);
  await read('Ada', '2026-11-17', 2, 90);
  expect(await list()).toMatchObject({
    year_groups: ['3', '4'],
    year_group: '3',
    from: '2026-10-08',
    to: '2026-11-18',
    pupils: 5,
    placed: 5,
    too_little: 0,
    // Eva, Finn, Gus and the pupil without a class.
    without_year_group: 4,
    readers: [{ name: 'Hal', group: { id: school.otherClass.id }, reading_level: 1, accuracy: 92 }],
  });
  expect((await list({ year_group: '4' })).readers).toMatchObject([{ name: 'Dev', accuracy: 10 }]);
  expect(await list({ year_group: '6' })).toMatchObject({ year_group: '6', pupils: 0, placed: 0, readers: [] });
  // A year later they are in Year 4 and 5.
  app.setTime('2027-09-20T12:00:00.000Z');
  const next = { ...(await app.build.staff(school, 'admin')) };
  expect(await list({}, next.token)).toMatchObject({ year_groups: ['4', '5'], year_group: '4', pupils: 5, placed: 0 });
});

test('an archived pupil is in no year, and a pupil with 99 words is counted as having read too little', async () => {
  await setYear(['Ada', 'Ben', 'Cleo'], '3');
  await read('Ada', '2026-11-16', 1, 50);
  await read('Ben', '2026-11-16', 1, 40, { words_attempted: 99 });
  await read('Cleo', '2026-11-16', 1, 10);
  await app.database.kysely
    .updateTable('pupils')
    .set({ archived_at: new Date('2026-11-17T12:00:00.000Z'), class_id: null })
    .where('id', '=', ids.Cleo ?? 0)
    .execute();
  expect(await list()).toMatchObject({ pupils: 2, placed: 1, too_little: 1, readers: [{ name: 'Ada' }] });
});

test('each pupil has the level and accuracy of the six weeks before, and whether they were in the fifth then', async () => {
  await setYear(own, '3');
  // The last day of the six weeks before, and the first of the last six weeks.
  for (const name of own) {
    await read(name, '2026-10-07', 1, name === 'Ben' ? 60 : 90);
    await read(name, '2026-10-08', 2, name === 'Ada' || name === 'Ben' ? 70 : 95);
  }
  const { readers: listed } = await list();
  expect(listed.map(({ name, before, was_listed }) => [name, before, was_listed])).toEqual([
    ['Ada', { reading_level: 1, accuracy: 90 }, true],
    ['Ben', { reading_level: 1, accuracy: 60 }, true],
  ]);
});

test('a pupil who joined the fifth is marked, and one without reading before has no level before', async () => {
  await setYear(own, '3');
  for (const name of own) await read(name, '2026-11-10', 2, name === 'Ada' || name === 'Ben' ? 70 : 95);
  await read('Ben', '2026-09-10', 2, 99);
  await read('Cleo', '2026-09-10', 1, 60);
  const { readers: listed } = await list();
  expect(listed.map(({ name, before, was_listed }) => [name, before, was_listed])).toEqual([
    ['Ada', null, false],
    ['Ben', { reading_level: 2, accuracy: 99 }, false],
  ]);
});

test('reading time is of a week of five school days', async () => {
  await setYear(['Ada'], '3');
  await read('Ada', '2026-10-08', 1, 50, { reading_time: 1000 });
  await read('Ada', '2026-11-18', 1, 50, { reading_time: 500 });
  await read('Ada', '2026-10-07', 1, 50, { reading_time: 7000 });
  // Thirty weekdays without the five of half-term.
  expect((await list()).readers[0]?.reading_time_a_week).toBeCloseTo((1500 / 25) * 5);
});

test('what a pupil gets are the reasons marked as done in six weeks or snoozed now, and their own books', async () => {
  await setYear(['Ada'], '3');
  await app.build.assign(school, { classId: school.ownClass.id }, [101, 102, 103]);
  await app.build.assign(school, { pupilId: ids.Ada ?? 0 }, [101, 104]);
  const respond = (response: 'done' | 'snoozed', need: 'low_accuracy' | 'nothing_assigned', remark: string | null) =>
    app.call(readingNeedsCalls.respondToNeed, {
      params: { id: school.id, readerId: ids.Ada ?? 0 },
      body: { need, response, remark },
      token: school.admin.token,
    });
  await read('Ada', '2026-11-16', 1, 50);
  expect((await respond('done', 'low_accuracy', 'read with her')).status).toBe(200);
  const insert = (response: 'done' | 'snoozed', responded_at: string, until: string, remark: string) =>
    app.database.kysely
      .insertInto('need_responses')
      .values({
        school_id: school.id,
        pupil_id: ids.Ada ?? 0,
        need: 'not_read',
        response,
        remark,
        reason: 'No reading',
        responded_by: school.teacher.id,
        responded_at: new Date(responded_at),
        until: new Date(until),
      })
      .execute();
  await insert('done', '2026-10-07T11:59:00Z', '2026-10-21T11:59:00Z', 'too long ago');
  await insert('done', '2026-10-07T12:01:00Z', '2026-10-21T12:01:00Z', 'just in time');
  await insert('snoozed', '2026-11-01T12:00:00Z', '2026-11-15T12:00:00Z', 'over');
  await insert('snoozed', '2026-11-10T12:00:00Z', '2026-11-24T12:00:00Z', 'still snoozed');
  const [ada] = (await list()).readers;
  expect(ada?.books).toBe(2);
  expect(ada?.responses.map(({ response, remark, responded_by }) => [response, remark, responded_by])).toEqual([
    ['done', 'read with her', school.admin.id],
    ['snoozed', 'still snoozed', school.teacher.id],
    ['done', 'just in time', school.teacher.id],
  ]);
  expect(ada?.responses[0]?.reason).toContain('50%');
});

test('admins and reading leads see the lowest fifth, and Who looked names them; other staff get 403', async () => {
  await setYear(['Ada'], '3');
  await read('Ada', '2026-11-16', 1, 50);
  const lead = await app.build.staff(school, 'reading_lead');
  expect((await list({}, lead.token)).readers).toHaveLength(1);
  for (const { token } of [school.teacher, await app.build.staff(school, 'teaching_assistant')]) {
    const { status } = await app.call(lowestFifthCalls.listLowestFifth, { params: { id: school.id }, token });
    expect(status).toBe(403);
  }
  await app.fastify.recordViews.flush();
  const { reply } = await app.call(recordViewCalls.listRecordViews, {
    params: { id: school.id, readerId: ids.Ada ?? 0 },
    token: school.admin.token,
  });
  expect(reply.views).toMatchObject([{ screen: 'lowest_fifth', what: 'page' }]);
});
