import type { HardWord } from '#contract/calls/hard-words.ts';
import type { PupilWord } from '#contract/calls/pupil-progress.ts';
import { MAX_LISTED_WORDS, wordKey } from '#contract/words.ts';
import type { SchoolDb } from '../../../database/school.ts';
import {
  listBookWords,
  listTexts,
  listTitles,
  listWordDays,
  listWordSessions,
  type WordSelection,
} from './hard-words.queries.ts';
import { findSpelling, needsTexts, settleCapital } from './spelling.service.ts';
import { countWords, rankWords, type WordCount } from './word-counts.service.ts';

const MAX_BOOKS = 5;

/** The days of a list, both included, in the school's time zone. */
export interface WordDays {
  timeZone: string;
  from: string;
  to: string;
}

/** The hard words of a class's current pupils, the hardest first. */
export async function listHardWords(db: SchoolDb, classId: number, days: WordDays): Promise<HardWord[]> {
  const { sessions, wordDays, books } = await gatherWords(db, { classId }, days);
  const pupils = new Set([...sessions, ...wordDays].map(({ pupil_id }) => pupil_id)).size;
  const words = rankWords(countWords(sessions, wordDays, books), { pupils }).slice(0, MAX_LISTED_WORDS);
  const listed = await describeWords(db, words);
  return words.map((word, index) => ({ ...listed[index]!, readers: word.pupils.size }));
}

/** The words of each pupil to practise, the hardest first, by the pupil's ID. */
export async function listPupilWords(
  db: SchoolDb,
  pupilIds: readonly number[],
  days: WordDays,
): Promise<Map<number, PupilWord[]>> {
  const { sessions, wordDays, books } = await gatherWords(db, { pupilIds }, days);
  const sessionsOf = Map.groupBy(sessions, ({ pupil_id }) => pupil_id);
  const wordDaysOf = Map.groupBy(wordDays, ({ pupil_id }) => pupil_id);
  const found = pupilIds.map((id) =>
    rankWords(countWords(sessionsOf.get(id) ?? [], wordDaysOf.get(id) ?? [], books), 'pupil').slice(
      0,
      MAX_LISTED_WORDS,
    ),
  );
  const listed = await describeWords(db, found.flat());
  let start = 0;
  return new Map(
    found.map(({ length }, index) => {
      start += length;
      return [pupilIds[index]!, listed.slice(start - length, start)];
    }),
  );
}

async function gatherWords(db: SchoolDb, selection: WordSelection, { timeZone, from, to }: WordDays) {
  const [sessions, wordDays] = await Promise.all([
    listWordSessions(db, selection, timeZone, from, to),
    listWordDays(db, selection, from, to),
  ]);
  const bookIds = new Set(sessions.flatMap(({ has_words, book_id }) => (has_words ? [] : book_id)));
  return { sessions, wordDays, books: await listBookWords(db, [...bookIds]) };
}

/** Words with their spelling and their books, those in which each was hard most often first. */
async function describeWords(db: SchoolDb, words: readonly WordCount[]): Promise<PupilWord[]> {
  const described = words.map(({ hard, met, forms, books }) => ({
    word: findSpelling(forms),
    readings: hard,
    met,
    bookIds: [...books]
      .toSorted(([id, times], [nextId, nextTimes]) => nextTimes - times || id - nextId)
      .slice(0, MAX_BOOKS)
      .map(([id]) => id),
  }));
  const spelled = await settleCapitals(db, described);
  const titles = await listTitles(db, [...new Set(described.flatMap(({ bookIds }) => bookIds))]);
  return spelled.map(({ bookIds, ...word }) => ({
    ...word,
    books: bookIds.map((id) => ({ id, title: titles.get(id) ?? '' })),
  }));
}

/** Words with their capitals settled by the texts of their books. */
export async function settleCapitals<Word extends { word: string; bookIds: readonly number[] }>(
  db: SchoolDb,
  words: readonly Word[],
): Promise<Word[]> {
  const texts = await listTexts(db, [
    ...new Set(words.flatMap(({ word, bookIds }) => (needsTexts(word) ? bookIds : []))),
  ]);
  return words.map((word) => ({
    ...word,
    word: settleCapital(
      word.word,
      word.bookIds.flatMap((id) => texts.get(id) ?? []),
    ),
  }));
}

/** The words of a printed list: all of them, or only those chosen. */
export function selectWords(words: readonly { word: string }[], only: readonly string[] | undefined): string[] {
  const chosen = only && new Set(only.map(wordKey));
  return words.map(({ word }) => word).filter((word) => !chosen || chosen.has(wordKey(word)));
}
