import type { Need, NeedThresholds } from '#contract/calls/reading-needs.ts';
import { DEFAULT_THRESHOLDS } from '#contract/calls/reading-needs.ts';
import { listSchoolDays, plusDays, usualYear } from '#contract/school-calendar.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { needSentence } from './need-sentences.service.ts';
import type { WordCount } from '../hard-words/hard-words.public.ts';
import { findNeeds, type PupilHistory, rankPupils, type RecentSession } from './need-rules.service.ts';

const TODAY = '2026-11-18';
const YESTERDAY = '2026-11-17';
const schoolDays = listSchoolDays(usualYear, { from: '2025-09-01', to: YESTERDAY });

const makeSession = (given: Partial<RecentSession> = {}): RecentSession => ({
  book_id: 1,
  book_title: 'The Wet Pup',
  reading_level: 2,
  last_page: 4,
  words_attempted: 50,
  words_correct: 50,
  has_completed_book: true,
  completed_ever: false,
  ...given,
});
const history = (given: Partial<PupilHistory> = {}): PupilHistory => ({
  joined_on: '2026-09-02',
  last_read_on: TODAY,
  has_books: true,
  current_level: null,
  sessions: [],
  words: new Map(),
  ...given,
});
/** A word that was hard in some of the sessions that met it. */
const wordCount = (form: string, hard: number, met = hard): [string, WordCount] => [
  form.toLowerCase(),
  { key: form.toLowerCase(), hard, met, pupils: new Set([1]), forms: new Map([[form, hard]]), books: new Map() },
];
const needs = (given: Partial<PupilHistory>, thresholds: Partial<NeedThresholds> = {}): Need[] =>
  findNeeds(history(given), { ...DEFAULT_THRESHOLDS, ...thresholds }, schoolDays);

describe('a pupil who has not read', () => {
  test('a pupil is listed after seven school days without reading, not counting weekends and half-term', () => {
    // Half-term was from 26 to 30 October 2026; 18 November, today, is a Wednesday.
    expect(needs({ last_read_on: '2026-11-09' })).toEqual([]);
    expect(needs({ last_read_on: '2026-11-06' })).toEqual([
      { kind: 'not_read', school_days: 7, last_read_on: '2026-11-06' },
    ]);
    expect(needs({ last_read_on: '2026-10-23' })).toMatchObject([{ school_days: 12 }]);
    expect(needs({ last_read_on: '2026-11-01' })).toMatchObject([{ school_days: 12 }]);
  });
  test('days without reading count from the day of joining for a pupil who has never read', () => {
    expect(needs({ last_read_on: null, joined_on: '2026-11-10' })).toEqual([]);
    expect(needs({ last_read_on: null, joined_on: '2026-11-06' })).toEqual([
      { kind: 'not_read', school_days: 7, last_read_on: null },
    ]);
  });
});

describe('thresholds', () => {
  const poor = { current_level: { reading_level: 2, words_attempted: 100, words_correct: 99 } };
  test('a threshold of 0 switches its reason off', () => {
    const none = { days_without_reading: 0, accuracy_below: 0, falling_by: 0, same_word_in: 0, book_begun: 0 };
    const sessions = [70, 80, 90].map((words_correct) =>
      makeSession({ words_attempted: 100, words_correct, has_completed_book: false }),
    );
    const words = new Map([wordCount('was', 3)]);
    const everything = { last_read_on: null, joined_on: '2026-01-01', sessions, words, ...poor };
    expect(needs(everything, { same_word_in: 3 }).map(({ kind }) => kind)).toEqual([
      'not_read',
      'falling',
      'same_words',
      'unfinished',
    ]);
    expect(needs(everything, none)).toEqual([]);
    expect(needs({ ...everything, has_books: false }, none)).toEqual([{ kind: 'nothing_assigned' }]);
  });
  test('an accuracy threshold of 100 lists a pupil with one mistake, and no pupil without mistakes', () => {
    expect(needs(poor, { accuracy_below: 100 })).toMatchObject([{ kind: 'low_accuracy', accuracy: 99 }]);
    expect(needs(poor, { accuracy_below: 99 })).toEqual([]);
    const perfect = { current_level: { reading_level: 2, words_attempted: 100, words_correct: 100 } };
    expect(needs(perfect, { accuracy_below: 100 })).toEqual([]);
    expect(needs({ last_read_on: '2026-01-05' }, { days_without_reading: 100 })).toMatchObject([{ kind: 'not_read' }]);
  });
});

test('a pupil who read once is not assessed on fewer than 100 words', () => {
  const once = (words_attempted: number) => ({
    current_level: { reading_level: 1, words_attempted, words_correct: 10 },
    sessions: [makeSession({ words_attempted, words_correct: 10 })],
    words: new Map([wordCount('said', 1)]),
  });
  expect(needs(once(99), { same_word_in: 1 })).toEqual([]);
  expect(needs(once(100), { same_word_in: 1 }).map(({ kind }) => kind)).toEqual(['low_accuracy', 'same_words']);
});

test('a reason names the three words that are hardest of those met, each hard often enough', () => {
  const sessions = Array.from({ length: 10 }, () => makeSession({ words_attempted: 100, words_correct: 100 }));
  const words = new Map([
    wordCount('was', 5, 10),
    wordCount('Britain', 5, 6),
    wordCount('harbour', 5, 5),
    wordCount('anchor', 4, 4),
    wordCount('island', 5, 9),
    wordCount('ship', 0, 30),
  ]);
  expect(needs({ sessions, words }, { same_word_in: 5 })).toEqual([
    {
      kind: 'same_words',
      words: [
        { word: 'harbour', readings: 5, met: 5 },
        { word: 'Britain', readings: 5, met: 6 },
        { word: 'island', readings: 5, met: 9 },
      ],
      readings: 10,
    },
  ]);
});

test('a word that is hard less often than all words together is no reason', () => {
  const sessions = Array.from({ length: 10 }, () => makeSession({ words_attempted: 100, words_correct: 100 }));
  const hardest = Array.from({ length: 30 }, (_, index) => wordCount(`word${index}`, 4, 4));
  expect(needs({ sessions, words: new Map([...hardest, wordCount('there', 6, 10)]) }, { same_word_in: 5 })).toEqual([]);
});

test('a long book read over several sessions does not count as begun repeatedly', () => {
  const read = (...pages: number[]) =>
    pages.toReversed().map((last_page) => makeSession({ last_page, has_completed_book: false }));
  expect(needs({ sessions: read(2, 4, 6, 8) })).toEqual([]);
  expect(needs({ sessions: read(4, 2, 4) })).toEqual([
    { kind: 'unfinished', book_id: 1, book_title: 'The Wet Pup', times: 3 },
  ]);
  const finishedOnce = read(4, 2, 4).map((session) => ({ ...session, completed_ever: true }));
  expect(needs({ sessions: finishedOnce })).toEqual([]);
});

const WORDS = ['was', 'said', 'where', 'light', 'bridge'];
const anySession: fc.Arbitrary<RecentSession> = fc
  .record({
    book_id: fc.integer({ min: 1, max: 3 }),
    reading_level: fc.constantFrom(1, 1, 1, 2),
    last_page: fc.nat(6),
    words_attempted: fc.constantFrom(0, 19, 20, 34, 50, 100),
    share: fc.integer({ min: 0, max: 20 }),
    has_completed_book: fc.constantFrom(false, false, false, true),
    completed_ever: fc.constantFrom(false, false, false, false, false, true),
  })
  .map(({ share, ...rest }) => ({
    ...rest,
    book_title: `Book ${rest.book_id}`,
    words_correct: Math.floor((rest.words_attempted * share) / 20),
  }));
const anyHistory: fc.Arbitrary<PupilHistory> = fc.record({
  joined_on: fc.nat(300).map((days) => plusDays(TODAY, -days)),
  last_read_on: fc.option(fc.nat(60).map((days) => plusDays(TODAY, -days))),
  has_books: fc.boolean(),
  current_level: fc.option(
    fc.tuple(fc.nat(300), fc.nat(100)).map(([words_attempted, percent]) => ({
      reading_level: 3,
      words_attempted,
      words_correct: Math.floor((words_attempted * percent) / 100),
    })),
  ),
  sessions: fc.array(anySession, { maxLength: 10 }),
  words: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...WORDS), fc.nat(10), fc.nat(10)), { selector: ([form]) => form })
    .map((counts) => new Map(counts.map(([form, hard, others]) => wordCount(form, hard, hard + others)))),
});
const anyThreshold = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom(0, 90, 100));
const anyThresholds: fc.Arbitrary<NeedThresholds> = fc.record({
  days_without_reading: anyThreshold,
  accuracy_below: anyThreshold,
  falling_by: anyThreshold,
  same_word_in: anyThreshold,
  book_begun: anyThreshold,
});

/** The definitions of docs/reading-needs.md, implemented independently with whole numbers. */
function model(pupil: PupilHistory, thresholds: NeedThresholds): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  if (!pupil.has_books) found.nothing_assigned = true;

  let missed = 0;
  for (let day = plusDays(pupil.last_read_on ?? pupil.joined_on, 1); day < TODAY; day = plusDays(day, 1))
    if (schoolDays.includes(day)) missed += 1;
  if (thresholds.days_without_reading > 0 && missed >= thresholds.days_without_reading) found.not_read = missed;

  const level = pupil.current_level;
  if (
    level &&
    level.words_attempted >= 100 &&
    level.words_correct * 100 < thresholds.accuracy_below * level.words_attempted
  )
    found.low_accuracy = level.words_attempted;

  const oldestFirst = pupil.sessions.toReversed();
  const [first, second, third] = oldestFirst.filter(({ words_attempted }) => words_attempted >= 20).slice(-3);
  if (thresholds.falling_by > 0 && first && second && third) {
    const three = [first, second, third];
    const total = three.reduce((sum, session) => sum + session.words_attempted, 0);
    const isLess = (a: RecentSession, b: RecentSession) =>
      a.words_correct * b.words_attempted < b.words_correct * a.words_attempted;
    const percent = ({ words_correct, words_attempted }: RecentSession) => (words_correct / words_attempted) * 100;
    const fall = Math.round((percent(first) - percent(third)) * 1e9) / 1e9;
    if (
      total >= 100 &&
      new Set(three.map(({ reading_level }) => reading_level)).size === 1 &&
      isLess(third, second) &&
      isLess(second, first) &&
      fall >= thresholds.falling_by
    )
      found.falling = total;
  }

  const wordsRead = pupil.sessions.reduce((sum, session) => sum + session.words_attempted, 0);
  const counts = [...pupil.words.values()];
  const total = (column: 'hard' | 'met') => counts.reduce((sum, count) => sum + count[column], 0);
  const hard = counts.filter(
    (count) =>
      count.hard > 0 && count.hard >= thresholds.same_word_in && count.hard * total('met') >= total('hard') * count.met,
  );
  if (thresholds.same_word_in > 0 && wordsRead >= 100 && hard.length > 0) found.same_words = Math.min(3, hard.length);

  const begun = [1, 2, 3].map((book) => {
    const ofBook = oldestFirst.filter(({ book_id }) => book_id === book);
    if (ofBook.some(({ has_completed_book, completed_ever }) => has_completed_book || completed_ever)) return 0;
    return ofBook.filter(
      ({ last_page }, index) => index === 0 || ofBook.slice(0, index).some((before) => before.last_page >= last_page),
    ).length;
  });
  const times = Math.max(...begun);
  if (thresholds.book_begun > 0 && times >= thresholds.book_begun) found.unfinished = times;
  return found;
}

const comparableValue = (need: Need): unknown => {
  switch (need.kind) {
    case 'nothing_assigned':
      return true;
    case 'not_read':
      return need.school_days;
    case 'low_accuracy':
    case 'falling':
      return need.words;
    case 'same_words':
      return need.words.length;
    case 'unfinished':
      return need.times;
  }
};

test('reasons match their definitions over random histories and thresholds', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyHistory, anyThresholds, (pupil, thresholds) => {
      const found = findNeeds(pupil, thresholds, schoolDays);
      for (const { kind } of found) seen.add(kind);
      const byKind = Object.fromEntries(found.map((need) => [need.kind, comparableValue(need)]));
      expect(byKind).toEqual(model(pupil, thresholds));
      expect(found).toHaveLength(Object.keys(byKind).length);
    }),
    { numRuns: 3000 },
  );
  expect([...seen].sort()).toEqual(
    ['falling', 'low_accuracy', 'not_read', 'nothing_assigned', 'same_words', 'unfinished'].sort(),
  );
});

test('pupils are ranked by their most urgent reason, and pupils without one are left out', () => {
  const pupil = (name: string, ...found: Need[]) => ({ name, needs: found });
  const notRead = (school_days: number): Need => ({ kind: 'not_read', school_days, last_read_on: null });
  const low = (accuracy: number): Need => ({ kind: 'low_accuracy', accuracy, words: 100, reading_level: 1 });
  const ranked = rankPupils([
    pupil('Fine'),
    pupil('Low', low(88)),
    pupil('Lower', low(70)),
    pupil('Away for a week', notRead(7)),
    pupil('Away for long', notRead(30)),
    pupil('Away and low', notRead(7), low(70)),
    pupil('Without books', { kind: 'nothing_assigned' }),
  ]);
  expect(ranked.map(({ name }) => name)).toEqual([
    'Without books',
    'Away for long',
    'Away and low',
    'Away for a week',
    'Lower',
    'Low',
  ]);
});

test.each<[Need, string]>([
  [{ kind: 'nothing_assigned' }, 'No books assigned'],
  [{ kind: 'not_read', school_days: 9, last_read_on: '2026-11-04' }, 'No reading for 9 school days, since 4 November'],
  [
    { kind: 'not_read', school_days: 190, last_read_on: '2025-11-04' },
    'No reading for 190 school days, since 4 November 2025',
  ],
  [{ kind: 'not_read', school_days: 1, last_read_on: null }, 'Has never read'],
  [
    { kind: 'low_accuracy', accuracy: 89.9, words: 412, reading_level: 3 },
    'Level 3: 89% accuracy in the last six weeks, over 412 words',
  ],
  [
    { kind: 'falling', from: 96.2, to: 88, words: 240, reading_level: 3 },
    'Accuracy fell 8 points over three readings, from 96% to 88%',
  ],
  [
    { kind: 'same_words', words: [{ word: 'through', readings: 4, met: 6 }], readings: 8 },
    'Struggled with “through” in 4 of the 6 recent readings that had it',
  ],
  [
    {
      kind: 'same_words',
      words: [
        { word: 'where', readings: 4, met: 5 },
        { word: 'said', readings: 3, met: 7 },
      ],
      readings: 10,
    },
    'Struggled with “where” in 4 of the 5 recent readings that had it and “said” in 3 of 7',
  ],
  [
    { kind: 'unfinished', book_id: 1, book_title: 'The Wet Pup', times: 3 },
    'Started “The Wet Pup” 3 times without finishing it',
  ],
])('%j is explained in one sentence', (need, sentence) => {
  expect(needSentence(need, TODAY)).toBe(sentence);
});
