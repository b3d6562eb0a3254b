import type { HardWord } from '#contract/calls/hard-words.ts';
import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';
import { SMALL_WORDS } from './needs.service.ts';

/** So many pupils have to struggle with a word for it to be the class's. */
const FEWEST_PUPILS = 3;
const MOST_WORDS = 60;
const MOST_BOOKS = 5;

/**
 * Words that pupils who are in a class now asked for or did not read between two days, both included: those first that
 * were hard for most pupils. A word counts once a reading, whatever its capitals;
 * small words of nearly every page are left out, and only of what is left is counted how often and where (`offset 0`
 * keeps that order).
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
          select book_id, count(distinct pupil_id) as pupils from unnest(book_ids, pupil_ids) as hard_in (book_id, pupil_id)
          group by book_id order by pupils desc, book_id limit ${MOST_BOOKS}
        ) often join books b on b.id = often.book_id
      ) as books
    from (
      select *, (select count(distinct id) from unnest(session_ids) as of_word (id)) as readings from (
        select lower(hard) as word, count(distinct s.pupil_id) as readers, array_agg(s.id) as session_ids,
          array_agg(s.pupil_id) as pupil_ids, array_agg(s.book_id) as book_ids
        from pupils p
        join reading_sessions s on s.school_id = ${db.schoolId} and s.pupil_id = p.id
          and s.started_at >= ${from}::date::timestamp at time zone ${timeZone}
          and s.started_at < (${to}::date + 1)::timestamp at time zone ${timeZone}
        cross join lateral unnest(s.played_words || s.skipped_words) as hard
        where p.school_id = ${db.schoolId} and p.class_id = ${classId}
        group by lower(hard) having count(distinct s.pupil_id) >= ${FEWEST_PUPILS}
        offset 0
      ) by_word
      where word <> all (${[...SMALL_WORDS]}::text[])
      order by readers desc, readings desc, word limit ${MOST_WORDS}
    ) words
    order by readers desc, readings desc, word`.execute(db.tx);
  return rows;
}
