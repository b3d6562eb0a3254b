import type { ReplyOf } from '#contract/call.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { wordsOf } from '#contract/words.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { sumByBucket } from './pupil-progress.service.ts';

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
    at('2026-10-30', { skipped_words: ['pup'] }),
    at('2026-11-12', { played_words: ['runs', 'The'], skipped_words: ['Runs'], book_id: 101, reading_time: 1800 }),
    at('2026-11-16', {
      skipped_words: ['RUNS', 'said'],
      book_id: 102,
      has_completed_book: true,
      last_page: 9,
      reading_time: 3600,
    }),
    at('2026-11-16', { played_words: ['rock', 'Bang'], book_id: 102, words_attempted: 100, words_correct: 80 }),
  ]);
  await app.build.reading(school, school.ownClass.pupils[1]?.id ?? 0, [at('2026-11-16', { skipped_words: ['sun'] })]);
});

const ben = () => school.ownClass.pupils[1]?.id ?? 0;
const readPages = async (bytes: Buffer) => (await extractText(await getDocumentProxy(new Uint8Array(bytes)))).text;

const ask = async (pupilId = ada, query = RANGE): Promise<ReplyOf<typeof pupilProgressCalls.getPupilProgress>> =>
  (
    await app.call(pupilProgressCalls.getPupilProgress, {
      params: { id: school.id, readerId: pupilId },
      query,
      token: school.admin.token,
    })
  ).reply;

describe('words of a pupil', () => {
  test('a pupil’s hard words are those of the requested dates, counted once per session, without small words', async () => {
    const { words } = await ask();
    expect(words?.map(({ word, readings, met, books }) => [word, readings, met, ...books.map(({ id }) => id)])).toEqual(
      [
        ['runs', 2, 2, 101, 102],
        // The book has it at the start of a sentence only. Pages 1 to 3, which have it, were read twice.
        ['bang', 1, 2, 102],
        ['rock', 1, 2, 102],
        ['said', 1, 2, 102],
      ],
    );
  });

  test('the list of a pupil’s hard words has at most 60', async () => {
    const { text } = await app.database.kysely
      .selectFrom('book_pages')
      .select(sql<string>`string_agg(text, ' ')`.as('text'))
      .where('book_id', '=', 205)
      .executeTakeFirstOrThrow();
    const [pupil] = school.otherClass.pupils;
    await app.build.reading(school, pupil?.id ?? 0, [
      at('2026-11-16', { book_id: 205, last_page: 12, words_attempted: 900, played_words: wordsOf(text) }),
    ]);
    expect((await ask(pupil?.id)).words).toHaveLength(60);
  });
});

describe('words to print', () => {
  const print = (pupilIds: number[], token: string, more: object = {}) =>
    app.call(hardWordCalls.listPupilWords, {
      params: { id: school.id },
      query: { reader_ids: pupilIds.join(','), ...RANGE, ...more },
      token,
    });

  test('words to practise are listed for each selected pupil, by name', async () => {
    const { reply } = await print([ben(), ada], school.teacher.token);
    expect(reply.readers.map(({ name, words }) => [name, words.map(({ word }) => word)])).toEqual([
      ['Ada Away', ['runs', 'bang', 'rock', 'said']],
      ['Ben Books', ['sun']],
    ]);
  });

  test('a printed word list has a sheet for each pupil, leaves out unticked words, and is audited', async () => {
    const only = 'Runs,said,sun';
    const { bytes } = await print([ada, ben()], school.teacher.token, { output: 'tick_list', only });
    const pages = await readPages(bytes);
    expect(pages).toHaveLength(2);
    for (const part of ['Ada Away', 'runs', 'said']) expect(pages[0]).toContain(part);
    expect(pages[0]).not.toContain('rock');
    expect(pages[1]).toContain('Ben Books');
    const { reply } = await app.call(schoolCalls.listAuditLog, {
      params: { id: school.id },
      token: school.admin.token,
    });
    expect(reply.entries[0]).toMatchObject({ action: 'practice_words_downloaded' });
    expect(reply.entries[0]?.pupils?.first.map(({ name }) => name).sort()).toEqual(['Ada Away', 'Ben Books']);
  });

  test('a pupil without the chosen words gets no sheet', async () => {
    const { bytes } = await print([ada, ben()], school.teacher.token, { output: 'sheet', only: 'sun' });
    const pages = await readPages(bytes);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain('Ben Books');
  });

  test('flashcards of several pupils are one set without names', async () => {
    const { bytes } = await print([ada, ben()], school.teacher.token, { output: 'flashcards' });
    const text = (await readPages(bytes)).join(' ');
    for (const word of ['runs', 'rock', 'sun']) expect(text).toContain(word);
    expect(text).not.toContain('Ada');
  });

  test('words to practise require access to every pupil', async () => {
    const finn = school.otherClass.pupils[0]?.id ?? 0;
    const { status, error } = await print([ada, finn], school.teacher.token);
    expect([status, error.code]).toEqual([409, 'pupil_not_managed']);
    expect((await print([school.unplaced.id], school.teacher.token)).status).toBe(409);
    expect((await print([ada, 99_999_999], school.admin.token)).status).toBe(404);
    expect((await print([], school.admin.token)).status).toBe(422);
  });
});

describe('reports of several pupils', () => {
  const download = (pupils: readonly number[], token: string) =>
    app.call(pupilProgressCalls.downloadPupilReports, {
      params: { id: school.id },
      query: { reader_ids: pupils.join(','), start_date: '2026-11-01', end_date: '2026-11-18' },
      token,
    });

  test('parents’ evening reports have a page for each pupil by name, with bookmarks and without other names, and are audited', async () => {
    const { bytes } = await download([ben(), ada], school.teacher.token);
    const pages = await readPages(bytes);
    expect(pages).toHaveLength(2);
    expect(pages[0]).toContain('Ada Away');
    expect(pages[0]).not.toContain('Ben Books');
    expect(pages[1]).toContain('Ben Books');
    const outline = await (await getDocumentProxy(new Uint8Array(bytes))).getOutline();
    expect(outline?.map(({ title }) => title)).toEqual(['Ada Away', 'Ben Books']);
    const { reply } = await app.call(schoolCalls.listAuditLog, {
      params: { id: school.id },
      token: school.admin.token,
    });
    expect(reply.entries[0]).toMatchObject({ action: 'pupil_reports_downloaded', pupils: { total: 2 } });
  });

  test('parents’ evening reports require access to every pupil', async () => {
    const finn = school.otherClass.pupils[0]?.id ?? 0;
    expect((await download([ada, finn], school.teacher.token)).error.code).toBe('pupil_not_managed');
    expect((await download([ada, 99_999_999], school.admin.token)).status).toBe(404);
  });
});

describe('the level', () => {
  test.each([
    [
      'the level is that of the last day, since the first day at that level',
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
      'the level restarts after a higher level',
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
      'the level restarts after a lower level',
      [
        ['2026-10-05', 2],
        ['2026-11-05', 1],
        ['2026-11-10', 2],
      ],
      2,
      '2026-11-10',
      6,
    ],
    ['the level counts only school days', [['2026-10-22', 1]], 1, '2026-10-22', 14],
    ['the level may start today', [['2026-11-18', 2]], 2, '2026-11-18', 0],
  ] as const)('%s', async (_, days, level, since, schoolDays) => {
    const built = await app.build.school({ ownPupils: ['Cleo'] });
    const cleo = built.ownClass.pupils[0]?.id ?? 0;
    await app.build.reading(
      built,
      cleo,
      days.map(([day, readLevel]) => at(day, { book_id: readLevel === 1 ? 101 : 103 })),
    );
    const { reply } = await app.call(pupilProgressCalls.getPupilProgress, {
      params: { id: built.id, readerId: cleo },
      query: RANGE,
      token: built.teacher.token,
    });
    expect(reply.level).toEqual({ reading_level: level, since, school_days: schoolDays });
  });

  test('the reading level of a pupil who has never read is null', async () => {
    expect(await ask(school.unplaced.id)).toEqual({ level: null, words: [], hours: { in_school: 0, outside: 0 } });
  });
});

describe('report of one pupil', () => {
  const path = (pupilId: number, more = '') =>
    `/enterprises/${school.id}/readers/${pupilId}/progress?output=pdf&start_date=2026-11-01&end_date=2026-11-18${more}`;
  const read = async (bytes: Buffer) => {
    const document = await getDocumentProxy(new Uint8Array(bytes));
    return { pages: document.numPages, text: (await extractText(document, { mergePages: true })).text };
  };

  test('a parents’ evening report has one pupil’s figures on one page, without other names or notes', async () => {
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
      'runs',
      'Meg Can Fix It',
    ])
      expect(text).toContain(part);
    for (const part of ['Ben', 'Books ·', 'pup', 'sun']) expect(text).not.toContain(part);
    const { reply } = await app.call(schoolCalls.listAuditLog, {
      params: { id: school.id },
      token: school.admin.token,
    });
    expect(reply.entries[0]).toMatchObject({ action: 'pupil_report_downloaded', subject_id: String(ada) });
  });

  test('a parents’ evening report stays one page with the longest names and lists', async () => {
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

  test('a teacher of another class cannot download a pupil’s report', async () => {
    const otherPupil = school.otherClass.pupils[0]?.id ?? 0;
    const reply = await app.ask('GET', path(otherPupil), { token: school.teacher.token });
    expect([reply.status, reply.error.code]).toEqual([409, 'pupil_not_managed']);
  });
});

test('the buckets of a report add up to the totals of its days for any reading', () => {
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
        const { buckets, reading_time, accuracy } = sumByBucket(days, minus(length), minus(0));
        const attempted = days.reduce((sum, session) => sum + session.words_attempted, 0);
        const correct = days.reduce((sum, session) => sum + session.words_correct, 0);
        expect(buckets.reduce((sum, bucket) => sum + bucket.reading_time, 0)).toBe(reading_time);
        expect(reading_time).toBe(days.reduce((sum, session) => sum + session.reading_time, 0));
        expect(accuracy).toBe(attempted < 100 ? null : (correct / attempted) * 100);
        for (const bucket of buckets)
          expect(bucket.accuracy === null || (bucket.accuracy >= 0 && bucket.accuracy <= 100)).toBe(true);
        if (attempted === 0) expect(buckets.every((bucket) => bucket.accuracy === null)).toBe(true);
      },
    ),
  );
});
