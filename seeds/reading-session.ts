import type { IntakeSession } from '#contract/calls/reading-app.ts';
import { wordsOf } from '#contract/words.ts';
import type { Random } from './random.ts';

/** A book: the words of each page, in order. */
export interface BookText {
  id: number;
  level: number;
  pages: string[][];
}

/** Splits pages into words, in lower case except for words that always have a capital (names). */
export function toBookText(book: { id: number; reading_level: number; pages: readonly string[] }): BookText {
  const pages = book.pages.map(wordsOf);
  const small = new Set(pages.flat().filter((word) => word === word.toLowerCase()));
  const plain = (word: string) => (small.has(word.toLowerCase()) ? word.toLowerCase() : word);
  return { id: book.id, level: book.reading_level, pages: pages.map((words) => words.map(plain)) };
}

/** How a pupil reads on a day. */
export interface Skill {
  /** Share of words read correctly, 0 to 1. */
  accuracy: number;
  /** Includes pauses, looking at pictures and listening. */
  wordsPerMinute: number;
}

/** A session without the ID and time that the device adds. */
export type SimulatedSession = Omit<IntakeSession, 'id' | 'book_id' | 'started_at'>;

/** The shortest and longest session, in seconds. */
const SHORTEST = 240;
const LONGEST = 1200;
/** A pupil with less than this share of a session left finishes the book. */
const NEARLY_THERE = 0.2;
const SECONDS_TO_TURN_A_PAGE = 5;

/** How likely an error is, compared with a word of five letters; `the` and `a` are hardly ever wrong. */
const difficulty = (word: string): number => (word.length / 5) ** 2;

/**
 * Continues a book for about this many minutes.
 * @param pagesRead pages read before this session, fewer than the book has
 */
export function readSession(
  random: Random,
  book: BookText,
  pagesRead: number,
  skill: Skill,
  minutes: number,
): SimulatedSession {
  const lastPage = choosePage(book, pagesRead, minutes * skill.wordsPerMinute);
  const words = book.pages.slice(pagesRead, lastPage).flat();
  const usual = words.reduce((sum, word) => sum + difficulty(word), 0) / Math.max(1, words.length);
  const heatmap = book.pages.map(() => 0);
  const played = new Set<string>();
  const skipped = new Set<string>();
  let correct = 0;
  for (let page = pagesRead; page < lastPage; page += 1) {
    const onPage = book.pages[page] ?? [];
    let wrong = 0;
    for (const word of onPage) {
      if (!random.chance(Math.min(0.9, ((1 - skill.accuracy) * difficulty(word)) / usual))) continue;
      wrong += 1;
      if (random.chance(0.45)) played.add(word);
      if (random.chance(0.6)) skipped.add(word);
    }
    correct += onPage.length - wrong;
    const attention = Math.round(8 + random.between(0, 22) + (160 * wrong) / Math.max(1, onPage.length));
    heatmap[page] = attention > 60 && random.chance(0.1) ? -1 : attention;
  }
  const seconds =
    (words.length * 60) / (skill.wordsPerMinute * random.between(0.9, 1.12)) +
    (lastPage - pagesRead) * SECONDS_TO_TURN_A_PAGE;
  return {
    reading_time: Math.round(
      Math.min(LONGEST - random.whole(0, 45), Math.max(SHORTEST + random.whole(0, 45), seconds)),
    ),
    last_page: lastPage,
    words_attempted: words.length,
    words_correct: correct,
    has_completed_book: lastPage === book.pages.length,
    heatmap,
    played_words: [...played],
    skipped_words: [...skipped],
  };
}

function choosePage(book: BookText, pagesRead: number, wordsWanted: number): number {
  const count = (pages: readonly string[][]) => pages.reduce((sum, words) => sum + words.length, 0);
  let page = pagesRead + 1;
  let words = book.pages[pagesRead]?.length ?? 0;
  while (page < book.pages.length && words < wordsWanted) {
    words += book.pages[page]?.length ?? 0;
    page += 1;
  }
  return count(book.pages.slice(page)) < wordsWanted * NEARLY_THERE ? book.pages.length : page;
}
