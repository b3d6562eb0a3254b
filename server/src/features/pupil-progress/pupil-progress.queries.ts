import type { PupilWord } from '#contract/calls/pupil-progress.ts';
import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';
import { SMALL_WORDS } from '../hard-words/hard-words.public.ts';

const MOST_WORDS = 60;
const MOST_BOOKS = 5;

/** The highest level of the last day on which a pupil read, and the first of the days since which it was that without a break. */
export async function findPresentLevel(
  db: SchoolDb,
  pupilId: number,
): Promise<{ reading_level: number; since: string } | undefined> {
  const { rows } = await sql<{ reading_level: number; since: string }>`
    with days as (
      select day, max(reading_level) as level from reading_days
      where school_id = ${db.schoolId} and pupil_id = ${pupilId} group by day
    )
    select present.level as reading_level, (
      select min(day) from days
      where day > coalesce((select max(day) from days where level <> present.level), '-infinity')
    ) as since
    from (select level from days order by day desc limit 1) present`.execute(db.tx);
  return rows[0];
}

/**
 * Words that a pupil asked for or did not read between two days, both included: those first that were hard in most
 * readings, and latest. A word counts once a reading, whatever its capitals; small words of nearly every page are left out.
 * @param timeZone the school's
 */
export async function listPupilWords(
  db: SchoolDb,
  pupilId: number,
  timeZone: string,
  from: string,
  to: string,
): Promise<PupilWord[]> {
  const { rows } = await sql<PupilWord>`
    select word, readings, (
        select json_agg(json_build_object('id', b.id, 'title', b.title) order by recent.latest desc, b.id) from (
          select book_id, latest from unnest(book_ids, times) as hard_in (book_id, latest)
          order by latest desc, book_id limit ${MOST_BOOKS}
        ) recent join books b on b.id = recent.book_id
      ) as books
    from (
      select word, sum(readings)::bigint as readings, max(latest) as latest, array_agg(book_id) as book_ids, array_agg(latest) as times
      from (
        select word, s.book_id, count(*) as readings, max(s.started_at) as latest
        from reading_sessions s
        cross join lateral (select distinct lower(hard) as word from unnest(s.played_words || s.skipped_words) as hard) words
        where s.school_id = ${db.schoolId} and s.pupil_id = ${pupilId}
          and s.started_at >= ${from}::date::timestamp at time zone ${timeZone}
          and s.started_at < (${to}::date + 1)::timestamp at time zone ${timeZone}
        group by s.book_id, word
      ) by_book
      where word <> all (${[...SMALL_WORDS]}::text[])
      group by word
      order by readings desc, latest desc, word limit ${MOST_WORDS}
    ) words
    order by readings desc, latest desc, word`.execute(db.tx);
  return rows;
}

/** What a pupil read on a day, on all levels. Time in seconds. */
export interface ReadingDay {
  day: string;
  reading_time: number;
  words_attempted: number;
  words_correct: number;
}

/** A pupil's days with reading between two days, both included, in order. */
export async function listReadingDays(db: SchoolDb, pupilId: number, from: string, to: string): Promise<ReadingDay[]> {
  const { rows } = await sql<ReadingDay>`
    select day, sum(reading_time) as reading_time, sum(words_attempted) as words_attempted, sum(words_correct) as words_correct
    from reading_days
    where school_id = ${db.schoolId} and pupil_id = ${pupilId} and day between ${from}::date and ${to}::date
    group by day order by day`.execute(db.tx);
  return rows;
}

/** Titles of the distinct books that a pupil completed between two days, both included, the latest first. */
export async function listCompletedTitles(db: SchoolDb, pupilId: number, from: string, to: string): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select b.title from (
      select book_id, max(day) as day from book_completions
      where school_id = ${db.schoolId} and pupil_id = ${pupilId} and day between ${from}::date and ${to}::date
      group by book_id
    ) completed join books b on b.id = completed.book_id
    order by completed.day desc, b.title, b.id`.execute(db.tx);
  return rows.map(({ title }) => title);
}
