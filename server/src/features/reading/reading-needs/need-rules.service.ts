import { calculateAccuracy, MIN_WORDS } from '#contract/accuracy.ts';
import type { Need, NeedKind, NeedThresholds } from '#contract/calls/reading-needs.ts';
import { findSpelling, rankWords, type WordCount } from '../hard-words/hard-words.public.ts';

/*
 * Which pupils need their teacher, and why: docs/reading-needs.md describes each rule. Pure functions of stored data;
 * days are calendar days in the school's time zone.
 */

/** Sessions of fewer words are ignored when looking for falling accuracy. */
const MIN_SESSION_WORDS = 20;
/** How many of the latest sessions the rules consider. */
export const MAX_RECENT_SESSIONS = 10;
/** Accuracy is falling when it drops over this many sessions. */
const FALLING_SESSION_COUNT = 3;
/** How many words a reason names at most. */
const MAX_NAMED_WORDS = 3;

/** One of a pupil's latest sessions. */
export interface RecentSession {
  book_id: number;
  book_title: string;
  reading_level: number;
  last_page: number;
  words_attempted: number;
  words_correct: number;
  has_completed_book: boolean;
  /** The pupil completed the book on some day, within the latest sessions or before. */
  completed_ever: boolean;
}

/** What the rules know about a pupil. */
export interface PupilHistory {
  joined_on: string;
  last_read_on: string | null;
  has_books: boolean;
  /** The level of the latest recent day with reading, and what was read at it in the recent days. */
  current_level: { reading_level: number; words_attempted: number; words_correct: number } | null;
  /** The latest first, of the recent days only, at most `MAX_RECENT_SESSIONS`. */
  sessions: readonly RecentSession[];
  /** The words of these sessions, if any was hard in as many of them as the school's threshold. */
  words: ReadonlyMap<string, WordCount>;
}

interface WordCounts {
  words_attempted: number;
  words_correct: number;
}
const accuracy = ({ words_attempted, words_correct }: WordCounts): number =>
  calculateAccuracy(words_correct, words_attempted) ?? 0;
/** Whether accuracy fell by at least this many points. Compares whole numbers, so that the exact threshold counts. */
const hasFallenBy = (points: number, from: WordCounts, to: WordCounts): boolean =>
  100 * (from.words_correct * to.words_attempted - to.words_correct * from.words_attempted) >=
  points * from.words_attempted * to.words_attempted;
/** Whether accuracy is below a percentage, compared in whole numbers. */
const isUnder = (percent: number, { words_attempted, words_correct }: WordCounts): boolean =>
  words_correct * 100 < percent * words_attempted;
const countWords = (sessions: readonly RecentSession[]): number =>
  sessions.reduce((sum, { words_attempted }) => sum + words_attempted, 0);

type Rule = (history: PupilHistory, thresholds: NeedThresholds, schoolDays: readonly string[]) => Need | undefined;

const nothingAssigned: Rule = ({ has_books }) => (has_books ? undefined : { kind: 'nothing_assigned' });

/** @param schoolDays past school days, in order */
const notRead: Rule = ({ joined_on, last_read_on }, { days_without_reading }, schoolDays) => {
  const since = last_read_on ?? joined_on;
  const first = schoolDays.findLastIndex((day) => day <= since) + 1;
  const missed = schoolDays.length - first;
  return missed >= days_without_reading ? { kind: 'not_read', school_days: missed, last_read_on } : undefined;
};

const lowAccuracy: Rule = ({ current_level: level }, { accuracy_below }) =>
  level && level.words_attempted >= MIN_WORDS && isUnder(accuracy_below, level)
    ? {
        kind: 'low_accuracy',
        accuracy: accuracy(level),
        words: level.words_attempted,
        reading_level: level.reading_level,
      }
    : undefined;

const falling: Rule = ({ sessions }, { falling_by }) => {
  const last = sessions
    .filter(({ words_attempted }) => words_attempted >= MIN_SESSION_WORDS)
    .slice(0, FALLING_SESSION_COUNT);
  const [newest, middle, oldest] = last;
  if (!newest || !middle || !oldest || countWords(last) < MIN_WORDS) return undefined;
  if (newest.reading_level !== middle.reading_level || middle.reading_level !== oldest.reading_level) return undefined;
  const [from, through, to] = [accuracy(oldest), accuracy(middle), accuracy(newest)];
  return from > through && through > to && hasFallenBy(falling_by, oldest, newest)
    ? { kind: 'falling', from, to, words: countWords(last), reading_level: newest.reading_level }
    : undefined;
};

const sameWords: Rule = ({ sessions, words: counts }, { same_word_in }) => {
  if (countWords(sessions) < MIN_WORDS) return undefined;
  const words = rankWords(counts, 'pupil')
    .filter(({ hard }) => hard >= same_word_in)
    .slice(0, MAX_NAMED_WORDS)
    .map(({ forms, hard, met }) => ({ word: findSpelling(forms), readings: hard, met }));
  return words.length > 0 ? { kind: 'same_words', words, readings: sessions.length } : undefined;
};

/** How often a book was begun: once at its first session, and again at each that got no further than those before. */
function timesBegun(oldestFirst: readonly Pick<RecentSession, 'last_page'>[]): number {
  let furthest = 0;
  let times = 0;
  for (const [index, { last_page }] of oldestFirst.entries()) {
    if (index === 0 || last_page <= furthest) times += 1;
    furthest = Math.max(furthest, last_page);
  }
  return times;
}

/** The books that a pupil began at least this often in the latest sessions without completing them there, the latest first. */
export const listBegunBooks = (
  sessions: readonly Pick<RecentSession, 'book_id' | 'last_page' | 'has_completed_book'>[],
  bookBegun: number,
): number[] =>
  [...Map.groupBy(sessions, ({ book_id }) => book_id)].flatMap(([bookId, ofBook]) =>
    !ofBook.some(({ has_completed_book }) => has_completed_book) && timesBegun(ofBook.toReversed()) >= bookBegun
      ? bookId
      : [],
  );

const unfinished: Rule = ({ sessions }, { book_begun }) => {
  let need: Extract<Need, { kind: 'unfinished' }> | undefined;
  // Of two books begun equally often, the one read last is named.
  for (const [book_id, ofBook] of Map.groupBy(sessions, ({ book_id: id }) => id)) {
    if (ofBook.some(({ has_completed_book, completed_ever }) => has_completed_book || completed_ever)) continue;
    const times = timesBegun(ofBook.toReversed());
    if (times >= book_begun && times > (need?.times ?? 0))
      need = { kind: 'unfinished', book_id, book_title: ofBook[0]?.book_title ?? '', times };
  }
  return need;
};

/** By rank, the most urgent first. A threshold of 0 switches its rule off. */
const RULES: readonly { kind: NeedKind; rule: Rule; threshold?: keyof NeedThresholds }[] = [
  { kind: 'nothing_assigned', rule: nothingAssigned },
  { kind: 'not_read', rule: notRead, threshold: 'days_without_reading' },
  { kind: 'low_accuracy', rule: lowAccuracy, threshold: 'accuracy_below' },
  { kind: 'falling', rule: falling, threshold: 'falling_by' },
  { kind: 'same_words', rule: sameWords, threshold: 'same_word_in' },
  { kind: 'unfinished', rule: unfinished, threshold: 'book_begun' },
];
const RANK: readonly NeedKind[] = RULES.map(({ kind }) => kind);

/** Whether the school uses a reason. */
export function isRuleOn(kind: NeedKind, thresholds: NeedThresholds): boolean {
  const threshold = RULES.find((rule) => rule.kind === kind)?.threshold;
  return threshold === undefined || thresholds[threshold] > 0;
}

/**
 * The reasons why a pupil needs their teacher, the most urgent first.
 * @param schoolDays past school days, in order
 */
export const findNeeds = (history: PupilHistory, thresholds: NeedThresholds, schoolDays: readonly string[]): Need[] =>
  RULES.flatMap(({ kind, rule }) => (isRuleOn(kind, thresholds) ? (rule(history, thresholds, schoolDays) ?? []) : []));

/** Ranks needs of one kind: the larger, the more urgent. */
function measureUrgency(need: Need): number {
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
      return Math.max(...need.words.map(({ readings }) => readings));
    case 'unfinished':
      return need.times;
  }
}

/** Sorts pupils by their most urgent reason: its kind, then its urgency, then their number of reasons. Stable. */
export const rankPupils = <Pupil extends { needs: readonly Need[] }>(pupils: readonly Pupil[]): Pupil[] =>
  pupils
    .flatMap((pupil) => {
      const [first] = pupil.needs;
      return first ? [{ pupil, rank: RANK.indexOf(first.kind), urgency: measureUrgency(first) }] : [];
    })
    .sort((a, b) => a.rank - b.rank || b.urgency - a.urgency || b.pupil.needs.length - a.pupil.needs.length)
    .map(({ pupil }) => pupil);

/** Whether a pupil has read, but too little to be assessed. */
export const hasReadTooLittle = (wordsRead: number): boolean => wordsRead > 0 && wordsRead < MIN_WORDS;
