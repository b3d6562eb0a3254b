import type { QueryInputOf, ReplyOf } from '#contract/call.ts';
import { DEFAULT_THRESHOLDS, readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { termDateCalls } from '#contract/calls/term-dates.ts';
import { usualYear } from '#contract/school-calendar.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD } from '../../../testing/builder.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';

const app = testApp();
const limited = testApp({ NEW_STATISTICS: 'limited' });
const NOW = '2026-11-18T12:00:00.000Z';
const PUPILS = ['Ada Away', 'Ben Books', 'Cleo Correct', 'Dev Down', 'Eve Eager', 'Finn Few'];
let school: BuiltSchool;
let pupils: Record<string, number>;

/** The pupils joined in October; `Finn Few` has read a little. */
beforeAll(async () => {
  app.setTime('2026-10-21T12:00:00.000Z');
  school = await app.build.school({ ownPupils: PUPILS });
  app.setTime(NOW);
  pupils = Object.fromEntries(school.ownClass.pupils.map(({ name, id }) => [name.split(' ')[0] ?? '', id]));
  await app.build.assign(school, { classId: school.ownClass.id }, [101, 102, 103]);
  await app.build.assign(school, { classId: school.otherClass.id }, [101]);
  const day = (date: number) => `2026-11-${String(date).padStart(2, '0')}T09:00:00.000Z`;
  const read = (name: string, sessions: Parameters<typeof app.build.reading>[2]) =>
    app.build.reading(school, pupils[name] ?? 0, sessions);
  const well = {
    words_attempted: 100,
    words_correct: 98,
    has_completed_book: true,
    last_page: 9,
    played_words: [],
    skipped_words: [],
  };
  await read('Ada', [{ ...well, started_at: day(3) }]);
  await read('Ben', [
    { ...well, started_at: day(12), book_id: 102, has_completed_book: false, last_page: 4 },
    { ...well, started_at: day(13), book_id: 102, has_completed_book: false, last_page: 2 },
    { ...well, started_at: day(16), book_id: 102, has_completed_book: false, last_page: 4 },
  ]);
  await read('Cleo', [{ ...well, started_at: day(17), words_correct: 84 }]);
  await read('Dev', [
    { ...well, started_at: day(13), words_correct: 99 },
    { ...well, started_at: day(16), words_correct: 95, book_id: 102 },
    { ...well, started_at: day(17), words_correct: 91, book_id: 101 },
  ]);
  await read('Eve', [
    { ...well, started_at: day(11), played_words: ['splash'] },
    { ...well, started_at: day(12), played_words: ['splash'] },
    { ...well, started_at: day(13), played_words: ['splash'] },
    { ...well, started_at: day(16), skipped_words: ['Splash'] },
    { ...well, started_at: day(17), played_words: ['splash', 'tub'], skipped_words: ['splash'] },
  ]);
  await read('Finn', [
    { ...well, started_at: day(17), words_attempted: 20, words_correct: 1, skipped_words: ['a', 'b'] },
  ]);
});
beforeEach(() => app.setTime(NOW));

const at = () => ({ id: school.id });
const list = async (query: QueryInputOf<typeof readingNeedsCalls.listReadingNeeds> = {}, token = school.admin.token) =>
  (await app.call(readingNeedsCalls.listReadingNeeds, { params: at(), query, token })).reply;
const ownClass = () => ({ group_id: String(school.ownClass.id) });
const reasons = ({ readers: listed }: Pick<ReplyOf<typeof readingNeedsCalls.listReadingNeeds>, 'readers'>) =>
  listed.map(({ name, needs }) => [name.split(' ')[0], ...needs.map(({ reason }) => reason)]);

const EXPECTED = [
  ['Ada', 'No reading for 10 school days, since 3 November'],
  ['Cleo', 'Level 1: 84% accuracy in the last six weeks, over 100 words'],
  ['Dev', 'Accuracy fell 8 points over three readings, from 99% to 91%'],
  ['Eve', 'Struggled with “splash” in 5 of the 5 recent readings that had it'],
  ['Ben', 'Started “The Big Hug” 3 times without finishing it'],
];

describe('who needs me', () => {
  test('the list of needs names the pupils of a class with their reasons, the most urgent first, and counts pupils who read too little', async () => {
    const reply = await list(ownClass());
    expect(reasons(reply).map(([name]) => name)).toEqual(['Ada', 'Cleo', 'Dev', 'Eve', 'Ben']);
    expect(reasons(reply).slice(0, 4)).toEqual(EXPECTED.slice(0, 4));
    expect(reply.readers.at(-1)?.needs[0]?.evidence).toMatchObject({ kind: 'unfinished', book_id: 102, times: 3 });
    expect(reply.meta).toMatchObject({ total: 5, too_little: 1, from: '2026-10-08', to: '2026-11-18' });
    expect(reply.readers[0]?.group).toEqual({ id: school.ownClass.id, name: 'Year 3 Wrens' });
  });

  test('a reason spells its words as lists of words do: with a capital only where the book has it within a sentence', async () => {
    const own = await app.build.school({ ownPupils: ['Hal Hare'] });
    const hal = own.ownClass.pupils[0]?.id ?? 0;
    await app.build.assign(own, { classId: own.ownClass.id }, [102]);
    await app.build.reading(
      own,
      hal,
      [11, 12, 13, 16, 17].map((day) => ({
        book_id: 102,
        started_at: `2026-11-${day}T09:00:00.000Z`,
        words_attempted: 100,
        words_correct: 98,
        has_completed_book: true,
        last_page: 9,
        played_words: ['Bang', 'Meg'],
        skipped_words: [],
      })),
    );
    const call = { params: { id: own.id, readerId: hal }, token: own.teacher.token };
    const { reply } = await app.call(readingNeedsCalls.listPupilNeeds, call);
    expect(reply.needs.map(({ reason }) => reason)).toEqual([
      'Struggled with “bang” in 5 of the 5 recent readings that had it and “Meg” in 5 of 5',
    ]);
  });

  test('the list of needs considers only the latest ten readings', async () => {
    const own = await app.build.school({ ownPupils: ['Gil Grove'] });
    const gil = own.ownClass.pupils[0]?.id ?? 0;
    await app.build.assign(own, { classId: own.ownClass.id }, [101]);
    const readings = Array.from({ length: 15 }, (_, index) => ({
      started_at: `2026-11-${String(index + 2).padStart(2, '0')}T09:00:00.000Z`,
      words_attempted: 100,
      words_correct: 98,
      has_completed_book: true,
      last_page: 9,
      played_words: index < 5 ? ['splash'] : index >= 10 ? ['rug'] : [],
      skipped_words: [],
    }));
    await app.build.reading(own, gil, readings);
    const { reply } = await app.call(readingNeedsCalls.listReadingNeeds, {
      params: { id: own.id },
      token: own.admin.token,
    });
    const needs = reply.readers.find(({ id }) => id === gil)?.needs ?? [];
    expect(needs.map(({ evidence }) => evidence)).toEqual([
      { kind: 'same_words', words: [{ word: 'rug', readings: 5, met: 10 }], readings: 10 },
    ]);
  });

  test('the list of needs is returned in pages', async () => {
    await app.build.pupils(
      school,
      null,
      [...'abcdefghijkl'].map((letter) => `Late ${letter}`),
    );
    const [first, second] = [await list({ per_page: '10' }), await list({ per_page: '10', page: '2' })];
    expect([first.readers.length, first.meta.total]).toEqual([10, second.meta.total]);
    expect(second.readers).toHaveLength(first.meta.total - 10);
    expect(new Set([...first.readers, ...second.readers].map(({ id }) => id)).size).toBe(first.meta.total);
  });

  test('the list of needs ranks pupils with no books assigned first', async () => {
    const bare = await app.build.school({ ownPupils: ['Ada'] });
    const reply = (
      await app.call(readingNeedsCalls.listReadingNeeds, {
        params: { id: bare.id },
        query: {},
        token: bare.admin.token,
      })
    ).reply;
    expect(reply.readers.map(({ needs }) => needs[0]?.reason)).toEqual(
      Array.from({ length: 3 }, () => 'No books assigned'),
    );
    await app.build.assign(bare, { classId: bare.ownClass.id }, [101]);
    await app.build.assign(bare, { pupilId: bare.unplaced.id }, [101]);
    const after = (
      await app.call(readingNeedsCalls.listReadingNeeds, {
        params: { id: bare.id },
        query: {},
        token: bare.admin.token,
      })
    ).reply;
    expect(after.readers.map(({ name }) => name)).toEqual(["Finn O'Hara"]);
  });

  test('the list of needs counts school days by the school’s own term dates', async () => {
    // Half-term is two weeks later than usual, from 9 to 13 November.
    const half_terms = usualYear(2026).map(({ from, to }) => ({ first_day: from, last_day: to }));
    half_terms[0] = { first_day: '2026-09-02', last_day: '2026-11-06' };
    half_terms[1] = { first_day: '2026-11-16', last_day: '2026-12-18' };
    const own = await app.build.school({ ownPupils: ['Ada'] });
    await app.build.assign(own, { classId: own.ownClass.id }, [101]);
    await app.build.reading(own, own.ownClass.pupils[0]?.id ?? 0, [{ started_at: '2026-10-23T09:00:00.000Z' }]);
    const call = { params: { id: own.id }, token: own.admin.token };
    const reason = async () =>
      (await app.call(readingNeedsCalls.listReadingNeeds, { ...call, query: { group_id: String(own.ownClass.id) } }))
        .reply.readers[0]?.needs[0]?.reason;
    expect(await reason()).toBe('No reading for 12 school days, since 23 October');
    await app.call(termDateCalls.updateTermDates, { ...call, body: { academic_year: 2026, half_terms } });
    expect(await reason()).toBe('No reading for 12 school days, since 23 October');
    half_terms[0] = { first_day: '2026-09-02', last_day: '2026-10-23' };
    await app.call(termDateCalls.updateTermDates, { ...call, body: { academic_year: 2026, half_terms } });
    expect(await reason()).toBeUndefined();
  });

  test('the list of needs follows a pupil to another class, and drops a deleted pupil', async () => {
    const otherSchool = await app.build.school({ ownPupils: ['Ada', 'Ben'] });
    const [ada, ben] = otherSchool.ownClass.pupils;
    const call = {
      params: { id: otherSchool.id },
      query: { group_id: String(otherSchool.ownClass.id) },
      token: otherSchool.admin.token,
    };
    const names = async () =>
      (await app.call(readingNeedsCalls.listReadingNeeds, call)).reply.readers.map(({ name }) => name);
    expect(await names()).toEqual(['Ada', 'Ben']);
    await app.build.move(otherSchool, ada?.id ?? 0, otherSchool.otherClass.id);
    expect(await names()).toEqual(['Ben']);
    await app.call(readingNeedsCalls.respondToNeed, {
      params: { id: otherSchool.id, readerId: ben?.id ?? 0 },
      body: { need: 'nothing_assigned', response: 'done' },
      token: otherSchool.admin.token,
    });
    await app.call(classMembershipCalls.deletePupil, {
      params: { readerId: ben?.id ?? 0 },
      token: otherSchool.admin.token,
    });
    const allClasses = { ...call, query: {} };
    const { readers: listed, hidden } = (await app.call(readingNeedsCalls.listReadingNeeds, allClasses)).reply;
    expect([...listed, ...hidden].map(({ name }) => name)).not.toContain('Ben');
    expect(listed.map(({ name }) => name)).toContain('Ada');
  });

  test('the list of needs can be downloaded as a printable list, which is audited', async () => {
    await app.call(secondFactorCalls.proveIdentity, { token: school.teacher.token, body: { password: PASSWORD } });
    const { status, bytes } = await app.ask(
      'GET',
      `/enterprises/${school.id}/needs?output=pdf&group_id=${school.ownClass.id}`,
      {
        token: school.teacher.token,
      },
    );
    expect(status).toBe(200);
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    for (const words of ['Year 3 Wrens', '18 November 2026', 'Ada Away', 'No reading for 10 school days', 'Ben Books'])
      expect(text).toContain(words);
    expect(text).not.toContain('Finn Few');
  });
});

describe('week of the list of needs', () => {
  test('the list of needs shows last week on Monday and this week on Wednesday, and names a pupil who has not read once', async () => {
    const otherSchool = await app.build.school({ ownPupils: ['Ada', 'Ben'], otherPupils: [] });
    const [ada, ben] = otherSchool.ownClass.pupils.map(({ id }) => id);
    await app.build.assign(otherSchool, { classId: otherSchool.ownClass.id }, [101]);
    await app.build.reading(otherSchool, ada ?? 0, [
      { started_at: '2026-11-05T09:00:00Z', reading_time: 60 },
      { started_at: '2026-11-12T09:00:00Z', reading_time: 300 },
    ]);
    await app.build.reading(otherSchool, ben ?? 0, [{ started_at: '2026-11-06T09:00:00Z', reading_time: 120 }]);
    const listAt = async (moment: string) => {
      app.setTime(moment);
      const { reply } = await app.call(readingNeedsCalls.listReadingNeeds, {
        params: { id: otherSchool.id },
        query: { group_id: String(otherSchool.ownClass.id) },
        token: otherSchool.admin.token,
      });
      return {
        week: reply.week,
        since: reply.not_read.since,
        notRead: reply.not_read.readers.map(({ name }) => name),
        inNeed: reply.readers.map(({ name }) => name),
      };
    };
    expect(await listAt('2026-11-16T08:00:00.000Z')).toEqual({
      week: {
        from: '2026-11-09',
        to: '2026-11-15',
        is_last_week: true,
        pupils: 2,
        readers: 1,
        reading_time: 300,
        before: { readers: 2, reading_time: 180 },
        read_this_week: 0,
      },
      since: '2026-11-09',
      notRead: ['Ben'],
      inNeed: [],
    });
    expect(await listAt('2026-11-18T08:00:00.000Z')).toMatchObject({
      week: { from: '2026-11-16', to: '2026-11-18', is_last_week: false, readers: 0, before: { readers: 0 } },
      since: '2026-11-16',
      notRead: ['Ada'],
      inNeed: ['Ben'],
    });
  });
});

describe('access to needs', () => {
  test('a teacher sees the needs of only their own classes', async () => {
    const all = await list({}, school.teacher.token);
    expect(all.readers.every((pupil) => pupil.group?.id === school.ownClass.id)).toBe(true);
    expect(reasons(all)).toEqual(reasons(await list(ownClass(), school.teacher.token)));
    const { status } = await app.call(readingNeedsCalls.listReadingNeeds, {
      params: at(),
      query: { group_id: String(school.otherClass.id) },
      token: school.teacher.token,
    });
    expect(status).toBe(404);
    const stranger = await app.build.staff(school, 'teacher');
    expect((await list({}, stranger.token)).readers).toEqual([]);
    const pdf = `/enterprises/${school.id}/needs?output=pdf&group_id=${school.ownClass.id}`;
    expect((await app.ask('GET', pdf, { token: stranger.token })).status).toBe(404);
  });

  test('a teacher cannot respond to the needs of a pupil of another class', async () => {
    const [finn] = school.otherClass.pupils;
    const call = { params: { ...at(), readerId: finn?.id ?? 0 }, token: school.teacher.token };
    const replies = [
      await app.call(readingNeedsCalls.respondToNeed, { ...call, body: { need: 'not_read', response: 'done' } }),
      await app.call(readingNeedsCalls.listPupilNeeds, call),
      await app.call(readingNeedsCalls.undoNeedResponse, { ...call, params: { ...call.params, responseId: 1 } }),
    ];
    for (const { status, error } of replies) expect([status, error.code]).toEqual([409, 'pupil_not_managed']);
  });

  test('a school without the new statistics has no list of needs', async () => {
    const plain = await limited.build.school();
    const path = `/enterprises/${plain.id}`;
    for (const [method, rest, payload] of [
      ['GET', '/needs'],
      ['GET', '/needs?output=pdf'],
      ['GET', '/needs/thresholds'],
      ['GET', `/groups/${plain.ownClass.id}/reading`],
      ['GET', `/groups/${plain.ownClass.id}/words?start_date=2026-11-16&end_date=2026-11-18`],
      ['POST', '/needs/thresholds', DEFAULT_THRESHOLDS],
      ['GET', `/readers/${plain.unplaced.id}/needs`],
      ['POST', `/readers/${plain.unplaced.id}/needs/responses`, { need: 'not_read', response: 'done' }],
      ['DELETE', `/readers/${plain.unplaced.id}/needs/responses/1`],
    ] as const) {
      const answer = await limited.ask(method, path + rest, { token: plain.admin.token, ...(payload && { payload }) });
      expect([method, rest, answer.status, answer.error?.error_type]).toEqual([method, rest, 404, 'not_found']);
    }
  });
});

describe('thresholds of needs', () => {
  test('thresholds are the defaults until an admin changes them, which is audited', async () => {
    const own = await app.build.school({ ownPupils: ['Ada'] });
    const call = { params: { id: own.id }, token: own.admin.token };
    expect((await app.call(readingNeedsCalls.getNeedThresholds, call)).reply.thresholds).toEqual(DEFAULT_THRESHOLDS);
    for (const body of [
      { days_without_reading: 0, accuracy_below: 0, falling_by: 0, same_word_in: 0, book_begun: 0 },
      { days_without_reading: 100, accuracy_below: 100, falling_by: 100, same_word_in: 100, book_begun: 100 },
    ]) {
      await app.call(readingNeedsCalls.updateNeedThresholds, { ...call, body });
      const seen = await app.call(readingNeedsCalls.getNeedThresholds, { ...call, token: own.teacher.token });
      expect(seen.reply.thresholds).toEqual(body);
    }
    const { entries } = (await app.call(schoolCalls.listAuditLog, { ...call, query: {} })).reply;
    expect(entries[0]).toMatchObject({ action: 'need_thresholds_changed', details: { to: { accuracy_below: 100 } } });
  });

  test.each([
    ['below 0', { accuracy_below: -1 }],
    ['over 100', { accuracy_below: 101 }],
    ['between whole numbers', { accuracy_below: 89.5 }],
    ['as a text', { accuracy_below: '90' }],
  ])('thresholds %s are rejected with a message', async (_, wrong) => {
    const { status, error } = await app.ask('POST', `/enterprises/${school.id}/needs/thresholds`, {
      token: school.admin.token,
      payload: { ...DEFAULT_THRESHOLDS, ...wrong },
    });
    expect(status).toBe(422);
    expect(error.errors?.accuracy_below).toEqual(['The accuracy is a whole number from 0 to 100.']);
  });
});
