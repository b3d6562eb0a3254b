import { calculateAccuracy } from '#contract/accuracy.ts';
import type { Need, NeedKind, NeedThresholds } from '#contract/calls/reading-needs.ts';
import { SMALL_WORDS } from '../hard-words/hard-words.public.ts';

/*
 * Who needs their teacher, and why: docs/reading-needs.md has each rule in words. Pure functions over what is kept of a
 * pupil; days are calendar days in the school's time zone.
 */

/** Below so many words nothing is said about how a pupil reads. */
const FEWEST_WORDS = 100;
/** A sitting of fewer words says nothing about the way that accuracy takes. */
const FEWEST_WORDS_OF_SITTING = 20;
/** Sittings that are looked at, the latest ones. */
export const LAST_SITTINGS = 10;
/** How far back is looked, in days with today. */
export const RECENT_DAYS = 42;
/** Sittings over which accuracy may fall. */
const FALLING_SITTINGS = 3;
/** Words that a reason names. */
const MOST_WORDS = 3;

/** One of a pupil's last sittings. */
export interface Sitting {
  book_id: number;
  book_title: string;
  reading_level: number;
  last_page: number;
  words_attempted: number;
  words_correct: number;
  has_completed_book: boolean;
  /** The pupil completed the book on some day, within the last sittings or before. */
  completed_ever: boolean;
  /** Words that the pupil asked for or did not read, as often as they were. */
  hard_words: readonly string[];
}

/** What the rules are asked about a pupil. */
export interface PupilHistory {
  joined_on: string;
  last_read_on: string | null;
  has_books: boolean;
  /** The level of the latest day with reading in the recent days, and what was read on it in them. */
  present_level: { reading_level: number; words_attempted: number; words_correct: number } | null;
  /** The latest first, of the recent days alone, at most `LAST_SITTINGS`. */
  sittings: readonly Sitting[];
}

interface WordCounts {
  words_attempted: number;
  words_correct: number;
}
const accuracy = ({ words_attempted, words_correct }: WordCounts): number =>
  calculateAccuracy(words_correct, words_attempted) ?? 0;
/** Whether accuracy fell from one to the other by so many points; in whole numbers, so that the very number counts. */
const fellBy = (points: number, from: WordCounts, to: WordCounts): boolean =>
  100 * (from.words_correct * to.words_attempted - to.words_correct * from.words_attempted) >=
  points * from.words_attempted * to.words_attempted;
/** Whether accuracy lies under so many per cent, in whole numbers too. */
const isUnder = (percent: number, { words_attempted, words_correct }: WordCounts): boolean =>
  words_correct * 100 < percent * words_attempted;
const wordsOf = (sittings: readonly Sitting[]): number =>
  sittings.reduce((sum, { words_attempted }) => sum + words_attempted, 0);

type Rule = (history: PupilHistory, thresholds: NeedThresholds, schoolDays: readonly string[]) => Need | undefined;

const nothingAssigned: Rule = ({ has_books }) => (has_books ? undefined : { kind: 'nothing_assigned' });

/** @param schoolDays those that are over, in order */
const notRead: Rule = ({ joined_on, last_read_on }, { days_without_reading }, schoolDays) => {
  const since = last_read_on ?? joined_on;
  // The days are in order: from the first that lies after.
  const first = schoolDays.findLastIndex((day) => day <= since) + 1;
  const missed = schoolDays.length - first;
  return missed >= days_without_reading ? { kind: 'not_read', school_days: missed, last_read_on } : undefined;
};

const lowAccuracy: Rule = ({ present_level: level }, { accuracy_below }) =>
  level && level.words_attempted >= FEWEST_WORDS && isUnder(accuracy_below, level)
    ? {
        kind: 'low_accuracy',
        accuracy: accuracy(level),
        words: level.words_attempted,
        reading_level: level.reading_level,
      }
    : undefined;

const falling: Rule = ({ sittings }, { falling_by }) => {
  const last = sittings
    .filter(({ words_attempted }) => words_attempted >= FEWEST_WORDS_OF_SITTING)
    .slice(0, FALLING_SITTINGS);
  const [newest, middle, oldest] = last;
  if (!newest || !middle || !oldest || wordsOf(last) < FEWEST_WORDS) return undefined;
  if (newest.reading_level !== middle.reading_level || middle.reading_level !== oldest.reading_level) return undefined;
  const [from, through, to] = [accuracy(oldest), accuracy(middle), accuracy(newest)];
  return from > through && through > to && fellBy(falling_by, oldest, newest)
    ? { kind: 'falling', from, to, words: wordsOf(last), reading_level: newest.reading_level }
    : undefined;
};

/** The hard words of a sitting without the small ones, each once. */
const hardWords = ({ hard_words }: Sitting): Set<string> =>
  new Set(hard_words.map((word) => word.toLowerCase()).filter((word) => !SMALL_WORDS.has(word)));

const sameWords: Rule = ({ sittings }, { same_word_in }) => {
  if (sittings.length < same_word_in || wordsOf(sittings) < FEWEST_WORDS) return undefined;
  const times = new Map<string, number>();
  for (const sitting of sittings) for (const word of hardWords(sitting)) times.set(word, (times.get(word) ?? 0) + 1);
  const words = [...times]
    .filter(([, sittingsWith]) => sittingsWith >= same_word_in)
    .sort(([one, often], [other, oftener]) => oftener - often || (one < other ? -1 : 1))
    .map(([word, sittingsWith]) => ({ word, sittings: sittingsWith }));
  return words.length > 0
    ? { kind: 'same_words', words: words.slice(0, MOST_WORDS), sittings: sittings.length }
    : undefined;
};

/** How often a book was begun: with its first sitting, and with each that got no further than those before. */
function timesBegun(oldestFirst: readonly Pick<Sitting, 'last_page'>[]): number {
  let furthest = 0;
  let times = 0;
  for (const [index, { last_page }] of oldestFirst.entries()) {
    if (index === 0 || last_page <= furthest) times += 1;
    furthest = Math.max(furthest, last_page);
  }
  return times;
}

/** The books that a pupil began so often among the last sittings, the latest first, without completing them there. */
export const listBegunBooks = (
  sittings: readonly Pick<Sitting, 'book_id' | 'last_page' | 'has_completed_book'>[],
  bookBegun: number,
): number[] =>
  [...Map.groupBy(sittings, ({ book_id }) => book_id)].flatMap(([bookId, ofBook]) =>
    !ofBook.some(({ has_completed_book }) => has_completed_book) && timesBegun(ofBook.toReversed()) >= bookBegun
      ? bookId
      : [],
  );

const unfinished: Rule = ({ sittings }, { book_begun }) => {
  let most: Extract<Need, { kind: 'unfinished' }> | undefined;
  // The book that was read last comes first, and stays where another one was begun as often.
  for (const [book_id, ofBook] of Map.groupBy(sittings, (sitting) => sitting.book_id)) {
    if (ofBook.some(({ has_completed_book, completed_ever }) => has_completed_book || completed_ever)) continue;
    const times = timesBegun(ofBook.toReversed());
    if (times >= book_begun && times > (most?.times ?? 0))
      most = { kind: 'unfinished', book_id, book_title: ofBook[0]?.book_title ?? '', times };
  }
  return most;
};

/** In the order in which they rank, each with the threshold that switches it off where it is 0. */
const RULES: readonly { rule: Rule; threshold?: keyof NeedThresholds }[] = [
  { rule: nothingAssigned },
  { rule: notRead, threshold: 'days_without_reading' },
  { rule: lowAccuracy, threshold: 'accuracy_below' },
  { rule: falling, threshold: 'falling_by' },
  { rule: sameWords, threshold: 'same_word_in' },
  { rule: unfinished, threshold: 'book_begun' },
];

/**
 * Why a pupil needs somebody, the gravest reason first; none for most.
 * @param schoolDays those that are over, in order
 */
export const findNeeds = (history: PupilHistory, thresholds: NeedThresholds, schoolDays: readonly string[]): Need[] =>
  RULES.flatMap(({ rule, threshold }) => {
    if (threshold && thresholds[threshold] === 0) return [];
    return rule(history, thresholds, schoolDays) ?? [];
  });

const RANK: readonly NeedKind[] = [
  'nothing_assigned',
  'not_read',
  'low_accuracy',
  'falling',
  'same_words',
  'unfinished',
];

/** How grave a need is among those of its kind: the larger the graver. */
function gravity(need: Need): number {
  switch (need.kind) {
    case 'nothing_assigned':
      return 0;
    case 'not_read':
      return need.school_days;
    case 'low_accuracy':
      return -need.accuracy;
    case 'falling':
      return need.from - need.to;
    case 'same_words':
      return Math.max(...need.words.map(({ sittings }) => sittings));
    case 'unfinished':
      return need.times;
  }
}

/** Pupils by their gravest reasons: by its kind, then by how grave it is, then by how many there are. Their order stays otherwise. */
export const rankPupils = <Pupil extends { needs: readonly Need[] }>(pupils: readonly Pupil[]): Pupil[] =>
  pupils
    .flatMap((pupil) => {
      const [first] = pupil.needs;
      return first ? [{ pupil, rank: RANK.indexOf(first.kind), gravity: gravity(first) }] : [];
    })
    .sort(
      (one, other) =>
        one.rank - other.rank || other.gravity - one.gravity || other.pupil.needs.length - one.pupil.needs.length,
    )
    .map(({ pupil }) => pupil);

/** Whether a pupil has read, and so little that nothing is said about how. */
export const hasReadTooLittle = (wordsRead: number): boolean => wordsRead > 0 && wordsRead < FEWEST_WORDS;
