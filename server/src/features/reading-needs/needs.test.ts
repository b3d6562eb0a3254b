import type { Need, NeedThresholds } from '#contract/calls/reading-needs.ts';
import { DEFAULT_THRESHOLDS } from '#contract/calls/reading-needs.ts';
import { listSchoolDays, plusDays, usualYear } from '#contract/school-calendar.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { needSentence } from './need-sentences.service.ts';
import { findNeeds, type PupilHistory, rankPupils, type Sitting } from './needs.service.ts';

const TODAY = '2026-11-18';
const YESTERDAY = '2026-11-17';
const schoolDays = listSchoolDays(usualYear, { from: '2025-09-01', to: YESTERDAY });

const sitting = (given: Partial<Sitting> = {}): Sitting => ({
  book_id: 1,
  book_title: 'The Wet Pup',
  reading_level: 2,
  last_page: 4,
  words_attempted: 50,
  words_correct: 50,
  has_completed_book: true,
  completed_ever: false,
  hard_words: [],
  ...given,
});
const history = (given: Partial<PupilHistory> = {}): PupilHistory => ({
  joined_on: '2026-09-02',
  last_read_on: TODAY,
  has_books: true,
  present_level: null,
  sittings: [],
  ...given,
});
const needs = (given: Partial<PupilHistory>, thresholds: Partial<NeedThresholds> = {}): Need[] =>
  findNeeds(history(given), { ...DEFAULT_THRESHOLDS, ...thresholds }, schoolDays);

describe('a pupil who has not read', () => {
  test('is named after seven school days that are over, weekends and half-term not counted', () => {
    // Half-term was from 26 to 30 October 2026; 18 November, today, is a Wednesday.
    expect(needs({ last_read_on: '2026-11-09' })).toEqual([]);
    expect(needs({ last_read_on: '2026-11-06' })).toEqual([
      { kind: 'not_read', school_days: 7, last_read_on: '2026-11-06' },
    ]);
    expect(needs({ last_read_on: '2026-10-23' })).toMatchObject([{ school_days: 12 }]);
    expect(needs({ last_read_on: '2026-11-01' })).toMatchObject([{ school_days: 12 }]);
  });
  test('counts from the day of joining where the pupil has never read', () => {
    expect(needs({ last_read_on: null, joined_on: '2026-11-10' })).toEqual([]);
    expect(needs({ last_read_on: null, joined_on: '2026-11-06' })).toEqual([
      { kind: 'not_read', school_days: 7, last_read_on: null },
    ]);
  });
});

describe('thresholds', () => {
  const poor = { present_level: { reading_level: 2, words_attempted: 100, words_correct: 99 } };
  test('of 0 leave their reason out', () => {
    const none = { days_without_reading: 0, accuracy_below: 0, falling_by: 0, same_word_in: 0, book_begun: 0 };
    const sittings = [70, 80, 90].map((words_correct) =>
      sitting({ words_attempted: 100, words_correct, hard_words: ['was'], has_completed_book: false }),
    );
    const everything = { last_read_on: null, joined_on: '2026-01-01', sittings, ...poor };
    expect(needs(everything, { same_word_in: 3 }).map(({ kind }) => kind)).toEqual([
      'not_read',
      'falling',
      'same_words',
      'unfinished',
    ]);
    expect(needs(everything, none)).toEqual([]);
    expect(needs({ ...everything, has_books: false }, none)).toEqual([{ kind: 'nothing_assigned' }]);
  });
  test('of 100 name whoever made one mistake, and nobody who made none', () => {
    expect(needs(poor, { accuracy_below: 100 })).toMatchObject([{ kind: 'low_accuracy', accuracy: 99 }]);
    expect(needs(poor, { accuracy_below: 99 })).toEqual([]);
    const perfect = { present_level: { reading_level: 2, words_attempted: 100, words_correct: 100 } };
    expect(needs(perfect, { accuracy_below: 100 })).toEqual([]);
    expect(needs({ last_read_on: '2026-01-05' }, { days_without_reading: 100 })).toMatchObject([{ kind: 'not_read' }]);
  });
});

test('a pupil who read once is not judged on fewer than 100 words', () => {
  const once = (words_attempted: number) => ({
    present_level: { reading_level: 1, words_attempted, words_correct: 10 },
    sittings: [sitting({ words_attempted, words_correct: 10, hard_words: ['said', 'the'] })],
  });
  expect(needs(once(99), { same_word_in: 1 })).toEqual([]);
  expect(needs(once(100), { same_word_in: 1 }).map(({ kind }) => kind)).toEqual(['low_accuracy', 'same_words']);
});

test('a long book that is read on and on is no book begun again and again', () => {
  const read = (...pages: number[]) =>
    pages.toReversed().map((last_page) => sitting({ last_page, has_completed_book: false }));
  expect(needs({ sittings: read(2, 4, 6, 8) })).toEqual([]);
  expect(needs({ sittings: read(4, 2, 4) })).toEqual([
    { kind: 'unfinished', book_id: 1, book_title: 'The Wet Pup', times: 3 },
  ]);
  const finishedOnce = read(4, 2, 4).map((one) => ({ ...one, completed_ever: true }));
  expect(needs({ sittings: finishedOnce })).toEqual([]);
});

const WORDS = ['the', 'was', 'said', 'where'];
const anySitting: fc.Arbitrary<Sitting> = fc
  .record({
    book_id: fc.integer({ min: 1, max: 3 }),
    reading_level: fc.constantFrom(1, 1, 1, 2),
    last_page: fc.nat(6),
    words_attempted: fc.constantFrom(0, 19, 20, 34, 50, 100),
    share: fc.integer({ min: 0, max: 20 }),
    has_completed_book: fc.constantFrom(false, false, false, true),
    completed_ever: fc.constantFrom(false, false, false, false, false, true),
    hard_words: fc.array(fc.constantFrom(...WORDS, 'The', 'WAS'), { maxLength: 8 }),
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
  present_level: fc.option(
    fc.tuple(fc.nat(300), fc.nat(100)).map(([words_attempted, percent]) => ({
      reading_level: 3,
      words_attempted,
      words_correct: Math.floor((words_attempted * percent) / 100),
    })),
  ),
  sittings: fc.array(anySitting, { maxLength: 10 }),
});
const anyThreshold = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom(0, 90, 100));
const anyThresholds: fc.Arbitrary<NeedThresholds> = fc.record({
  days_without_reading: anyThreshold,
  accuracy_below: anyThreshold,
  falling_by: anyThreshold,
  same_word_in: anyThreshold,
  book_begun: anyThreshold,
});

/** The same by the definitions of docs/reading-needs.md, one after the other and with whole numbers. */
function model(pupil: PupilHistory, thresholds: NeedThresholds): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  if (!pupil.has_books) found.nothing_assigned = true;

  let missed = 0;
  for (let day = plusDays(pupil.last_read_on ?? pupil.joined_on, 1); day < TODAY; day = plusDays(day, 1))
    if (schoolDays.includes(day)) missed += 1;
  if (thresholds.days_without_reading > 0 && missed >= thresholds.days_without_reading) found.not_read = missed;

  const level = pupil.present_level;
  if (
    level &&
    level.words_attempted >= 100 &&
    level.words_correct * 100 < thresholds.accuracy_below * level.words_attempted
  )
    found.low_accuracy = level.words_attempted;

  const oldestFirst = pupil.sittings.toReversed();
  const [first, second, third] = oldestFirst.filter(({ words_attempted }) => words_attempted >= 20).slice(-3);
  if (thresholds.falling_by > 0 && first && second && third) {
    const three = [first, second, third];
    const total = three.reduce((sum, one) => sum + one.words_attempted, 0);
    const isLess = (one: Sitting, other: Sitting) =>
      one.words_correct * other.words_attempted < other.words_correct * one.words_attempted;
    const percent = ({ words_correct, words_attempted }: Sitting) => (words_correct / words_attempted) * 100;
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

  const wordsRead = pupil.sittings.reduce((sum, one) => sum + one.words_attempted, 0);
  // `the` is one of the small words that are left out.
  const hard = WORDS.filter(
    (word) =>
      word !== 'the' &&
      pupil.sittings.filter(({ hard_words }) => hard_words.some((one) => one.toLowerCase() === word)).length >=
        thresholds.same_word_in,
  );
  if (thresholds.same_word_in > 0 && wordsRead >= 100 && hard.length > 0) found.same_words = Math.min(3, hard.length);

  const begun = [1, 2, 3].map((book) => {
    const ofBook = oldestFirst.filter(({ book_id }) => book_id === book);
    if (ofBook.some(({ has_completed_book, completed_ever }) => has_completed_book || completed_ever)) return 0;
    return ofBook.filter(
      ({ last_page }, index) => index === 0 || ofBook.slice(0, index).some((before) => before.last_page >= last_page),
    ).length;
  });
  const most = Math.max(...begun);
  if (thresholds.book_begun > 0 && most >= thresholds.book_begun) found.unfinished = most;
  return found;
}

const shown = (need: Need): unknown => {
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

test('reasons are those of the definitions, over random histories and thresholds', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyHistory, anyThresholds, (pupil, thresholds) => {
      const found = findNeeds(pupil, thresholds, schoolDays);
      for (const { kind } of found) seen.add(kind);
      const byKind = Object.fromEntries(found.map((need) => [need.kind, shown(need)]));
      expect(byKind).toEqual(model(pupil, thresholds));
      expect(found).toHaveLength(Object.keys(byKind).length);
    }),
    { numRuns: 3000 },
  );
  expect([...seen].sort()).toEqual(
    ['falling', 'low_accuracy', 'not_read', 'nothing_assigned', 'same_words', 'unfinished'].sort(),
  );
});

test('pupils are ranked by their gravest reason, and nobody without one is listed', () => {
  const pupil = (name: string, ...its: Need[]) => ({ name, needs: its });
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
  [{ kind: 'nothing_assigned' }, 'No book is assigned'],
  [{ kind: 'not_read', school_days: 9, last_read_on: '2026-11-04' }, 'No reading for 9 school days, since 4 November'],
  [
    { kind: 'not_read', school_days: 190, last_read_on: '2025-11-04' },
    'No reading for 190 school days, since 4 November 2025',
  ],
  [{ kind: 'not_read', school_days: 1, last_read_on: null }, 'Has not read yet, in 1 school day'],
  [{ kind: 'low_accuracy', accuracy: 89.9, words: 412, reading_level: 3 }, 'Accuracy 89% on level 3, over 412 words'],
  [
    { kind: 'falling', from: 96.2, to: 88, words: 240, reading_level: 3 },
    'Accuracy fell from 96% to 88% over three readings, by 8 points',
  ],
  [
    { kind: 'same_words', words: [{ word: 'through', sittings: 4 }], sittings: 8 },
    'The same word was hard again and again: “through” in 4 of the last 8 readings',
  ],
  [
    {
      kind: 'same_words',
      words: [
        { word: 'where', sittings: 4 },
        { word: 'said', sittings: 3 },
      ],
      sittings: 10,
    },
    'The same words were hard again and again: “where” in 4 and “said” in 3 of the last 10 readings',
  ],
  [
    { kind: 'unfinished', book_id: 1, book_title: 'The Wet Pup', times: 3 },
    'Began “The Wet Pup” 3 times and has not finished it',
  ],
])('%j is told in one sentence', (need, sentence) => {
  expect(needSentence(need, TODAY)).toBe(sentence);
});
