import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import { isReadingRow } from '../../../database/is-reading.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { hasBegunOnDays } from '../dashboard/dashboard.public.ts';
import { BookWords, type WordDay, type WordSession } from './word-counts.service.ts';

/** Sessions counted at most, the latest: those of a class over several years. */
const MAX_SESSIONS = 20_000;
/** Words asked for, and words skipped, counted of one session at most; the longest book has 951. */
const MAX_SESSION_WORDS = 1000;

/** The pupils whose words are listed: those of a class, or some of the school. */
export type WordSelection = { classId: number } | { pupilIds: readonly number[] };

const isOf = (db: SchoolDb, selection: WordSelection): RawBuilder<SqlBool> =>
  'classId' in selection
    ? sql`s.pupil_id in (select id from pupils where school_id = ${db.schoolId} and class_id = ${selection.classId})`
    : inIds('s.pupil_id', selection.pupilIds);

/**
 * The words of sessions between two days, both included. Joined to one text, because reading arrays of words takes the
 * database and the portal several times as long.
 * @param timeZone the school's
 */
export async function listWordSessions(
  db: SchoolDb,
  selection: WordSelection,
  timeZone: string,
  from: string,
  to: string,
): Promise<WordSession[]> {
  const { rows } = await sql<Omit<WordSession, 'hard_words'> & { played: string; skipped: string }>`
    select s.pupil_id, s.book_id, s.last_page, s.words_attempted, s.has_words,
      array_to_string(s.played_words, E'\n') as played, array_to_string(s.skipped_words, E'\n') as skipped
    from reading_sessions s
    where s.school_id = ${db.schoolId} and ${isOf(db, selection)} and ${isReadingRow} and ${hasBegunOnDays(timeZone, from, to)}
    order by s.started_at desc limit ${MAX_SESSIONS}`.execute(db.tx);
  return rows.map(({ played, skipped, ...row }) => ({
    ...row,
    hard_words: [...played.split('\n', MAX_SESSION_WORDS), ...skipped.split('\n', MAX_SESSION_WORDS)],
  }));
}

/** The words that the app counted between two days, both included. */
export async function listWordDays(
  db: SchoolDb,
  selection: WordSelection,
  from: string,
  to: string,
): Promise<WordDay[]> {
  const { rows } = await sql<{ pupil_id: number; words: string; met: string; hard: string }>`
    select s.pupil_id, array_to_string(s.words, ' ') as words, array_to_string(s.met, ' ') as met, array_to_string(s.hard, ' ') as hard
    from word_days s
    where s.school_id = ${db.schoolId} and ${isOf(db, selection)} and s.day between ${from}::date and ${to}::date
    order by s.day desc limit ${MAX_SESSIONS}`.execute(db.tx);
  const numbers = (text: string) => text.split(' ').map(Number);
  return rows.map(({ pupil_id, words, met, hard }) => ({
    pupil_id,
    words: words.split(' '),
    met: numbers(met),
    hard: numbers(hard),
  }));
}

/** The words on the pages of books. */
export async function listBookWords(db: SchoolDb, bookIds: readonly number[]): Promise<BookWords> {
  if (bookIds.length === 0) return new BookWords(new Map());
  const { rows } = await sql<{ book_id: number; words: string }>`
    select book_id, array_to_string(words, ' ') as words from book_pages where ${inIds('book_id', bookIds)}
    order by book_id, page`.execute(db.tx);
  const pages = Map.groupBy(rows, ({ book_id }) => book_id);
  return new BookWords(new Map([...pages].map(([id, ofBook]) => [id, ofBook.map(({ words }) => words.split(' '))])));
}

/** The titles of books, by ID. */
export async function listTitles(db: SchoolDb, bookIds: readonly number[]): Promise<Map<number, string>> {
  if (bookIds.length === 0) return new Map();
  const rows = await db.tx.selectFrom('books').select(['id', 'title']).where(inIds('id', bookIds)).execute();
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** The texts of books, by ID: one for each page. */
export async function listTexts(db: SchoolDb, bookIds: readonly number[]): Promise<Map<number, string[]>> {
  if (bookIds.length === 0) return new Map();
  const rows = await db.tx
    .selectFrom('book_pages')
    .select(['book_id', 'text'])
    .where(inIds('book_id', bookIds))
    .execute();
  const pages = Map.groupBy(rows, ({ book_id }) => book_id);
  return new Map([...pages].map(([id, ofBook]) => [id, ofBook.map(({ text }) => text)]));
}
