import type { HardWord } from '#contract/calls/hard-words.ts';
import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';
import { SMALL_WORDS } from './hard-words.service.ts';

/** So many pupils have to struggle with a word for it to be the class's. */
const FEWEST_PUPILS = 3;
const MOST_WORDS = 60;
const MOST_BOOKS = 5;

/**
 * Words that pupils who are in a class now asked for or did not read between two days, both included: those first that
 * were hard for most pupils. A word counts once a reading, whatever its capitals; small words of nearly every page are
 * left out. Readings are counted by pupil and book first, so that what follows has a few rows a word, and not one a
 * reading; without the fence (`offset 0`) PostgreSQL filters each word before it counts, which takes twice as long.
 * @param timeZone the school's
 */
export async function listHardWords(
  db: SchoolDb,
  classId: number,
  timeZone: string,
  from: string,
  to: string,
): Promise<HardWord[]> {
  const { rows } = await sql<HardWord>`
    select word, readers, readings, (
        select json_agg(json_build_object('id', b.id, 'title', b.title) order by often.pupils desc, b.id) from (
          select book_id, count(*) as pupils from unnest(book_ids) as hard_in (book_id)
          group by book_id order by pupils desc, book_id limit ${MOST_BOOKS}
        ) often join books b on b.id = often.book_id
      ) as books
    from (
      select word, count(distinct pupil_id) as readers, sum(readings)::bigint as readings, array_agg(book_id) as book_ids
      from (
        select word, s.pupil_id, s.book_id, count(*) as readings
        from pupils p
        join reading_sessions s on s.school_id = ${db.schoolId} and s.pupil_id = p.id
          and s.started_at >= ${from}::date::timestamp at time zone ${timeZone}
          and s.started_at < (${to}::date + 1)::timestamp at time zone ${timeZone}
        cross join lateral (select distinct lower(hard) as word from unnest(s.played_words || s.skipped_words) as hard) words
        where p.school_id = ${db.schoolId} and p.class_id = ${classId}
        group by s.pupil_id, s.book_id, word
        offset 0
      ) by_book
      where word <> all (${[...SMALL_WORDS]}::text[])
      group by word having count(distinct pupil_id) >= ${FEWEST_PUPILS}
      order by readers desc, readings desc, word limit ${MOST_WORDS}
    ) words
    order by readers desc, readings desc, word`.execute(db.tx);
  return rows;
}
