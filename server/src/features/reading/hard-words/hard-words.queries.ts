import type { HardWord } from '#contract/calls/hard-words.ts';
import { sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { hasBegunOnDays } from '../dashboard/dashboard.public.ts';
import { markCommonWords, settleCapital, SMALL_WORDS } from './hard-words.service.ts';

/** A class's hard words are those that at least this many pupils struggled with. */
const MIN_PUPILS = 3;
const MAX_WORDS = 60;
const MAX_BOOKS = 5;

/** The hard words of session `s`, each once with one of its forms: a lower-case one, if there is any. */
export const hardWordForms = sql`(
  select lower(hard) as word, max(hard collate "C") as form from unnest(s.played_words || s.skipped_words) as hard group by 1
)`;

/** The commonest `form` of a word. Capitalised forms count only if there is no other; ties go to the first in order. */
export const spelling = sql`coalesce(
  mode() within group (order by form) filter (where left(form, 1) = lower(left(form, 1))), mode() within group (order by form)
)`;

/** Words with their capitals settled by the texts of their books. */
export async function settleCapitals<Word extends { word: string; books: readonly { id: number }[] }>(
  db: SchoolDb,
  words: readonly Word[],
): Promise<Word[]> {
  const capitalised = words.filter(({ word }) => word.charAt(0) !== word.charAt(0).toLowerCase());
  const bookIds = [...new Set(capitalised.flatMap(({ books }) => books.map(({ id }) => id)))];
  if (bookIds.length === 0) return [...words];
  const pages = await db.tx
    .selectFrom('book_pages')
    .select(['book_id', 'text'])
    .where(inIds('book_id', bookIds))
    .execute();
  const texts = Map.groupBy(pages, ({ book_id }) => book_id);
  const textsOf = ({ books }: Word) => books.flatMap(({ id }) => (texts.get(id) ?? []).map(({ text }) => text));
  return words.map((word) => ({ ...word, word: settleCapital(word.word, textsOf(word)) }));
}

/**
 * Words that a class's current pupils asked for or did not read between two days, both included, the hardest first. A word
 * counts once per session, ignoring case, and small words are left out. Sessions are counted by pupil and book first,
 * which leaves a few rows per word; without the fence (`offset 0`) PostgreSQL filters every word before counting.
 * @param timeZone the school's
 */
export async function listHardWords(
  db: SchoolDb,
  classId: number,
  timeZone: string,
  from: string,
  to: string,
): Promise<HardWord[]> {
  const { rows } = await sql<Omit<HardWord, 'is_common'>>`
    select spelled as word, readers, readings, (
        select json_agg(json_build_object('id', b.id, 'title', b.title) order by often.pupils desc, b.id) from (
          select book_id, count(*) as pupils from unnest(book_ids) as hard_in (book_id)
          group by book_id order by pupils desc, book_id limit ${MAX_BOOKS}
        ) often join books b on b.id = often.book_id
      ) as books
    from (
      select word, ${spelling} as spelled, count(distinct pupil_id) as readers, sum(readings)::bigint as readings,
        array_agg(book_id) as book_ids
      from (
        select word, max(form) as form, s.pupil_id, s.book_id, count(*) as readings
        from pupils p
        join reading_sessions s on s.school_id = ${db.schoolId} and s.pupil_id = p.id
          and ${hasBegunOnDays(timeZone, from, to)}
        cross join lateral ${hardWordForms} words
        where p.school_id = ${db.schoolId} and p.class_id = ${classId}
        group by s.pupil_id, s.book_id, word
        offset 0
      ) by_book
      where word <> all (${[...SMALL_WORDS]}::text[])
      group by word having count(distinct pupil_id) >= ${MIN_PUPILS}
      order by readers desc, readings desc, word limit ${MAX_WORDS}
    ) words
    order by readers desc, readings desc, word`.execute(db.tx);
  return markCommonWords(await settleCapitals(db, rows));
}
