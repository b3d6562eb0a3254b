import { MIN_MEETINGS, wordKey } from '#contract/words.ts';

/*
 * Which words are hard, and how hard: docs/reading-needs.md describes the rule. Pure functions of stored data. Words are
 * compared by `wordKey`; a word counts once per session.
 */

/** Words so frequent that missing one of them says nothing about a pupil. They are never listed. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a an and at but for had he her his i in is it of on she the to we'.split(' '),
);

/** A class's hard words are those that at least this many pupils struggled with, or all of a smaller class. */
const MIN_PUPILS = 3;

/** The weight of the mean of all words, as a number of meetings: a word met seldom is ranked near it. */
const PRIOR_MEETINGS = 8;

/** One reading session of a pupil. */
export interface WordSession {
  pupil_id: number;
  book_id: number;
  last_page: number;
  words_attempted: number;
  /** Whether the app sent its words, which are in the daily counts. */
  has_words: boolean;
  /** Each word that the pupil asked for or did not read. */
  hard_words: readonly string[];
}

/** The words that a pupil met on a day in sessions whose words the app sent: each form, and in how many of them. */
export interface WordDay {
  pupil_id: number;
  words: readonly string[];
  met: readonly number[];
  hard: readonly number[];
}

/** How often a word was hard. */
export interface WordCount {
  key: string;
  /** Sessions that met it. */
  met: number;
  /** Sessions in which it was hard. */
  hard: number;
  pupils: ReadonlySet<number>;
  /** The hard word's forms, and how often each was sent. */
  forms: ReadonlyMap<string, number>;
  /** The IDs of books in which it was hard, and how often. */
  books: ReadonlyMap<number, number>;
}

interface WordTally extends WordCount {
  pupils: Set<number>;
  forms: Map<string, number>;
  books: Map<number, number>;
}

const isListed = (key: string): boolean => key !== '' && !SMALL_WORDS.has(key);

/** The words on the pages of books. */
export class BookWords {
  readonly #pages: ReadonlyMap<number, readonly (readonly string[])[]>;
  readonly #read = new Map<string, ReadonlySet<string>>();

  /** @param pages the words of each page of each book, in order; a book without text is absent */
  constructor(pages: ReadonlyMap<number, readonly (readonly string[])[]>) {
    this.#pages = new Map([...pages].map(([id, words]) => [id, words.map((page) => page.map(wordKey))]));
  }

  /**
   * The different words on the pages that a session read: back from its last page, until they have as many words as were
   * attempted. Without small words; undefined for a book without text.
   */
  read({ book_id, last_page, words_attempted }: WordSession): ReadonlySet<string> | undefined {
    const pages = this.#pages.get(book_id);
    if (!pages) return undefined;
    const last = Math.min(last_page, pages.length);
    let first = last;
    for (let words = 0; first > 0 && words < words_attempted; first -= 1) words += pages[first - 1]?.length ?? 0;
    return this.#between(book_id, first, last);
  }

  /** The different words up to a page. */
  upTo({ book_id, last_page }: WordSession): ReadonlySet<string> {
    return this.#between(book_id, 0, last_page);
  }

  /** @param first the number of pages before the first */
  #between(bookId: number, first: number, last: number): ReadonlySet<string> {
    const range = `${bookId} ${first} ${last}`;
    let words = this.#read.get(range);
    if (!words) {
      words = new Set((this.#pages.get(bookId) ?? []).slice(first, last).flat().filter(isListed));
      this.#read.set(range, words);
    }
    return words;
  }
}

/** Adds a number to that of a key. */
const add = <Key>(map: Map<Key, number>, key: Key, number: number): void =>
  void map.set(key, (map.get(key) ?? 0) + number);

/**
 * Counts the words of sessions: what the app sent, or else what was on the pages read. A hard word that the book does not
 * have on a page up to the last one read is not counted, and neither is any word of a book without text, because nothing
 * says how often they were met.
 */
export function countWords(
  sessions: readonly WordSession[],
  days: readonly WordDay[],
  books: BookWords,
): Map<string, WordCount> {
  const met = new Map<string, number>();
  const tallies = new Map<string, WordTally>();
  const tallyOf = (key: string): WordTally => {
    let tally = tallies.get(key);
    if (!tally) {
      tally = { key, met: 0, hard: 0, pupils: new Set(), forms: new Map(), books: new Map() };
      tallies.set(key, tally);
    }
    return tally;
  };

  const readings = new Map<ReadonlySet<string>, number>();
  for (const session of sessions) {
    const { pupil_id, book_id, has_words, hard_words } = session;
    const read = has_words ? undefined : books.read(session);
    if (read) add(readings, read, 1);
    if (!read && !has_words) continue;
    const seen = new Set<string>();
    for (const form of hard_words) {
      const key = wordKey(form);
      if (seen.has(key) || !isListed(key)) continue;
      seen.add(key);
      if (read && !read.has(key)) {
        if (!books.upTo(session).has(key)) continue;
        add(met, key, 1);
      }
      const tally = tallyOf(key);
      add(tally.books, book_id, 1);
      if (!read) continue;
      tally.hard += 1;
      tally.pupils.add(pupil_id);
      add(tally.forms, form, 1);
    }
  }
  for (const [words, sessionCount] of readings) for (const key of words) add(met, key, sessionCount);

  for (const { pupil_id, words, met: metOf, hard: hardOf } of days)
    for (const [index, form] of words.entries()) {
      const key = wordKey(form);
      if (!isListed(key)) continue;
      add(met, key, metOf[index] ?? 0);
      const hard = hardOf[index] ?? 0;
      if (hard === 0) continue;
      const tally = tallyOf(key);
      tally.hard += hard;
      tally.pupils.add(pupil_id);
      add(tally.forms, form, hard);
    }

  return new Map(
    [...met].map(([key, times]) => {
      const tally = tallies.get(key);
      return [
        key,
        tally
          ? { ...tally, met: times }
          : { key, met: times, hard: 0, pupils: new Set(), forms: new Map(), books: new Map() },
      ];
    }),
  );
}

/** Whether a word that may be listed was hard in so many sessions. */
export function hasRepeatedWord(sessions: readonly Pick<WordSession, 'hard_words'>[], times: number): boolean {
  const counts = new Map<string, number>();
  for (const { hard_words } of sessions)
    for (const key of new Set(hard_words.map(wordKey))) if (isListed(key)) add(counts, key, 1);
  return [...counts.values()].some((sessionCount) => sessionCount >= times);
}

/**
 * The hard words of a pupil or a class, the hardest first: hard in at least as large a share of their meetings as all words
 * together. Ranked by that share, which a few meetings move only a little from the mean.
 * @param of a class's words need enough meetings and several pupils
 */
export function rankWords(counts: ReadonlyMap<string, WordCount>, whose: 'pupil' | { pupils: number }): WordCount[] {
  let [allHard, allMet] = [0, 0];
  for (const { hard, met } of counts.values()) {
    allHard += hard;
    allMet += met;
  }
  const isCertain = ({ met, pupils }: WordCount): boolean =>
    whose === 'pupil' || (met >= MIN_MEETINGS && pupils.size >= Math.min(MIN_PUPILS, whose.pupils));
  const mean = allMet === 0 ? 0 : allHard / allMet;
  const share = ({ hard, met }: WordCount): number => (hard + PRIOR_MEETINGS * mean) / (met + PRIOR_MEETINGS);
  return [...counts.values()]
    .filter((word) => word.hard > 0 && word.hard * allMet >= allHard * word.met && isCertain(word))
    .sort((a, b) => share(b) - share(a) || b.hard - a.hard || (a.key < b.key ? -1 : 1));
}
