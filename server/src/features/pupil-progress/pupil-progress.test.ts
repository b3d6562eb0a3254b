import type { ReplyOf } from '#contract/call.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import type { BuiltSchool } from '../../testing/builder.ts';
import { extractText, getDocumentProxy } from '../../testing/read-pdf.ts';
import { addUpDays } from './pupil-progress.service.ts';

const app = testApp();
const NOW = '2026-11-18T12:00:00.000Z';
let school: BuiltSchool;
let ada: number;
const RANGE = { start_date: '2026-11-01', end_date: '2026-11-18' };
const at = (day: string, more: object) => ({
  started_at: `${day}T09:00:00.000Z`,
  played_words: [],
  skipped_words: [],
  ...more,
});

beforeEach(() => app.setTime(NOW));
beforeAll(async () => {
  app.setTime(NOW);
  school = await app.build.school({ ownPupils: ['Ada Away', 'Ben Books'] });
  ada = school.ownClass.pupils[0]?.id ?? 0;
  await app.build.reading(school, ada, [
    at('2026-10-30', { skipped_words: ['october'] }),
    at('2026-11-12', { played_words: ['where', 'The'], skipped_words: ['Where'], book_id: 101, reading_time: 1800 }),
    at('2026-11-16', {
      skipped_words: ['WHERE', 'said'],
      book_id: 102,
      has_completed_book: true,
      last_page: 9,
      reading_time: 3600,
    }),
    at('2026-11-16', { played_words: ['bridge'], book_id: 102, words_attempted: 100, words_correct: 80 }),
  ]);
  await app.build.reading(school, school.ownClass.pupils[1]?.id ?? 0, [at('2026-11-16', { skipped_words: ['other'] })]);
});

const ask = async (pupilId = ada, query = RANGE): Promise<ReplyOf<typeof pupilProgressCalls.getPupilProgress>> =>
  (
    await app.call(pupilProgressCalls.getPupilProgress, {
      params: { id: school.id, readerId: pupilId },
      query,
      token: school.admin.token,
    })
  ).reply;

describe('words of a pupil', () => {
  test('are those that were hard in these days, once a reading, without small ones', async () => {
    const { words } = await ask();
    expect(words?.map(({ word, readings, books }) => [word, readings, ...books.map(({ id }) => id)])).toEqual([
      ['where', 2, 102, 101],
      ['bridge', 1, 102],
      ['said', 1, 102],
    ]);
  });

  test('are at most 60', async () => {
    const hard = Array.from({ length: 70 }, (_, index) => `word${index}`);
    const [pupil] = school.otherClass.pupils;
    await app.build.reading(school, pupil?.id ?? 0, [at('2026-11-16', { played_words: hard })]);
    expect((await ask(pupil?.id)).words).toHaveLength(60);
  });
});

describe('the level', () => {
  test.each([
    [
      'is that of the last day, since the first on it',
      [
        ['2026-10-20', 1],
        ['2026-11-04', 2],
        ['2026-11-10', 1],
        ['2026-11-10', 2],
      ],
      2,
      '2026-11-04',
      10,
    ],
    [
      'begins anew after a higher one',
      [
        ['2026-09-10', 1],
        ['2026-10-05', 2],
        ['2026-11-05', 1],
        ['2026-11-06', 1],
      ],
      1,
      '2026-11-05',
      9,
    ],
    [
      'begins anew after a lower one',
      [
        ['2026-10-05', 2],
        ['2026-11-05', 1],
        ['2026-11-10', 2],
      ],
      2,
      '2026-11-10',
      6,
    ],
    ['counts school days alone', [['2026-10-22', 1]], 1, '2026-10-22', 14],
    ['may be of today', [['2026-11-18', 2]], 2, '2026-11-18', 0],
  ] as const)('%s', async (_, days, level, since, schoolDays) => {
    const built = await app.build.school({ ownPupils: ['Cleo'] });
    const cleo = built.ownClass.pupils[0]?.id ?? 0;
    await app.build.reading(
      built,
      cleo,
      days.map(([day, one]) => at(day, { book_id: one === 1 ? 101 : 103 })),
    );
    const { reply } = await app.call(pupilProgressCalls.getPupilProgress, {
      params: { id: built.id, readerId: cleo },
      query: RANGE,
      token: built.teacher.token,
    });
    expect(reply.level).toEqual({ reading_level: level, since, school_days: schoolDays });
  });

  test('is none for a pupil who has never read', async () => {
    expect(await ask(school.unplaced.id)).toEqual({ level: null, words: [] });
  });
});

describe('the page for a parents’ evening', () => {
  const path = (pupilId: number, more = '') =>
    `/enterprises/${school.id}/readers/${pupilId}/progress?output=pdf&start_date=2026-11-01&end_date=2026-11-18${more}`;
  const read = async (bytes: Buffer) => {
    const document = await getDocumentProxy(new Uint8Array(bytes));
    return { pages: document.numPages, text: (await extractText(document, { mergePages: true })).text };
  };

  test('is one page with the figures of one child, and neither another’s name nor a note', async () => {
    await app.call(pupilNoteCalls.addPupilNote, {
      params: { id: school.id, readerId: ada },
      body: { text: 'Sits beside Ben Books' },
      token: school.teacher.token,
    });
    const { status, headers, bytes } = await app.ask('GET', path(ada), { token: school.teacher.token });
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf']);
    const { pages, text } = await read(bytes);
    expect(pages).toBe(1);
    for (const part of [
      'Ada Away',
      school.ownClass.name,
      '1 November 2026 to 18 November 2026',
      '1 h 32 min',
      'where',
      'Meg Can Fix It',
    ])
      expect(text).toContain(part);
    for (const part of ['Ben', 'Books ·', 'october', 'other']) expect(text).not.toContain(part);
    const { reply } = await app.call(schoolCalls.listAuditLog, {
      params: { id: school.id },
      token: school.admin.token,
    });
    expect(reply.entries[0]).toMatchObject({ action: 'pupil_report_downloaded', subject_id: String(ada) });
  });

  test('stays one page whatever there is to say, and whatever a pupil is called', async () => {
    const full = await app.build.school({ ownPupils: [`${'Wilhelmina '.repeat(17)}Ng`] });
    const pupil = full.ownClass.pupils[0]?.id ?? 0;
    const hard = Array.from({ length: 70 }, (_, index) => `extraordinarily-long-word-number-${index}`);
    await app.build.reading(
      full,
      pupil,
      [101, 102, 103, 205].map((book_id) =>
        at('2026-11-16', { book_id, played_words: hard, has_completed_book: true, last_page: book_id < 103 ? 9 : 12 }),
      ),
    );
    for (const [from, id] of [
      ['2018-01-01', pupil],
      ['2026-11-18', pupil],
      ['2026-11-01', full.unplaced.id],
    ] as const) {
      const { status, bytes } = await app.ask(
        'GET',
        `/enterprises/${full.id}/readers/${id}/progress?output=pdf&start_date=${from}&end_date=2026-11-18`,
        { token: full.admin.token },
      );
      expect([status, (await read(bytes)).pages]).toEqual([200, 1]);
    }
  });

  test('is for those who may act on the pupil', async () => {
    const other = school.otherClass.pupils[0]?.id ?? 0;
    const refused = await app.ask('GET', path(other), { token: school.teacher.token });
    expect([refused.status, refused.error.code]).toEqual([409, 'pupil_not_managed']);
  });
});

test('days add up to stretches and to the whole, whatever was read', () => {
  const day = fc.record({
    back: fc.nat(250),
    reading_time: fc.nat(5000),
    words_attempted: fc.nat(300),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const minus = (days: number) => new Date(Date.parse('2026-11-18') - days * 86_400_000).toISOString().slice(0, 10);
  fc.assert(
    fc.property(
      fc.uniqueArray(day, { selector: ({ back }) => back, maxLength: 40 }),
      fc.integer({ min: 0, max: 250 }),
      (some, length) => {
        const days = some
          .filter(({ back }) => back <= length)
          .map(({ back, share, ...rest }) => ({
            ...rest,
            day: minus(back),
            words_correct: Math.floor(rest.words_attempted * share),
          }));
        const { stretches, reading_time, accuracy } = addUpDays(days, minus(length), minus(0));
        const attempted = days.reduce((sum, one) => sum + one.words_attempted, 0);
        const correct = days.reduce((sum, one) => sum + one.words_correct, 0);
        expect(stretches.reduce((sum, one) => sum + one.reading_time, 0)).toBe(reading_time);
        expect(reading_time).toBe(days.reduce((sum, one) => sum + one.reading_time, 0));
        expect(accuracy).toBe(attempted < 100 ? null : (correct / attempted) * 100);
        for (const one of stretches)
          expect(one.accuracy === null || (one.accuracy >= 0 && one.accuracy <= 100)).toBe(true);
        if (attempted === 0) expect(stretches.every((one) => one.accuracy === null)).toBe(true);
      },
    ),
  );
});
