import type { Days } from '#contract/school-calendar.ts';
import type { Statement } from './statements.ts';

/** Whose reading is asked for. */
export type Selection = 'school' | { classId: number } | { pupilId: number };

/** The least SQL that finds what the portal's statements on pupils' reading find, written by hand without its guards. */

const inClass = (column: string, schoolId: number, classId: number | undefined): string =>
  classId === undefined
    ? 'true'
    : `${column} in (select id from pupils where school_id = ${schoolId} and class_id = ${classId})`;

export const leastLevels = (schoolId: number, classId: number | undefined, from: string): Statement => ({
  text: `select pupil_id, reading_level, max(day) as day, sum(words_attempted) as attempted, sum(words_correct) as correct
    from reading_days where school_id = $1 and day >= $2::date and ${inClass('pupil_id', schoolId, classId)}
    group by pupil_id, reading_level`,
  values: [schoolId, from],
});

export const leastSittings = (schoolId: number, classId: number | undefined, since: Date): Statement => ({
  text: `select p.id as pupil_id, s.* from pupils p cross join lateral (
      select book_id, reading_level, last_page, words_attempted, words_correct, has_completed_book, played_words, skipped_words
      from reading_sessions where school_id = $1 and pupil_id = p.id and started_at >= $2
      order by started_at desc limit 10
    ) s where p.school_id = $1 and ${inClass('p.id', schoolId, classId)}`,
  values: [schoolId, since],
});

export const leastNeverCompleted = (schoolId: number, firstPupil: number, pupils: number): Statement => ({
  text: `select p.id, b.id, b.title from pupils p join books b on b.id = 101
    where p.school_id = $1 and p.id between $2 and $3 and not exists (
      select from book_completions where school_id = $1 and pupil_id = p.id and book_id = b.id)`,
  values: [schoolId, firstPupil, firstPupil + pupils - 1],
});

export const leastClassReading = (schoolId: number, classId: number, from: string): Statement => ({
  text: `select pupil_id, (day - $2::date) / 7 as week, reading_level, sum(reading_time) as reading_time,
      sum(words_attempted) as attempted, sum(words_correct) as correct, max(day) as day
    from reading_days where school_id = $1 and day >= $2::date and ${inClass('pupil_id', schoolId, classId)}
    group by 1, 2, 3`,
  values: [schoolId, from],
});

export const leastWords = (schoolId: number, classId: number, from: string, to: string): Statement => ({
  text: `select lower(word) as word, count(distinct pupil_id) as pupils, count(*) as times, array_agg(distinct book_id) as books
    from reading_sessions cross join lateral unnest(played_words || skipped_words) as hard (word)
    where school_id = $1 and ${inClass('pupil_id', schoolId, classId)}
      and started_at >= $2::date::timestamp at time zone 'Europe/London'
      and started_at < ($3::date + 1)::timestamp at time zone 'Europe/London'
    group by 1 having count(distinct pupil_id) >= 3 order by 2 desc, 3 desc, 1 limit 60`,
  values: [schoolId, from, to],
});

export const leastPupilWords = (schoolId: number, pupilId: number, from: string, to: string): Statement => ({
  text: `select lower(word) as word, count(*) as times, max(started_at) as latest, array_agg(distinct book_id) as books
    from reading_sessions cross join lateral unnest(played_words || skipped_words) as hard (word)
    where school_id = $1 and pupil_id = $2
      and started_at >= $3::date::timestamp at time zone 'Europe/London'
      and started_at < ($4::date + 1)::timestamp at time zone 'Europe/London'
    group by 1 order by 2 desc, 3 desc, 1 limit 60`,
  values: [schoolId, pupilId, from, to],
});

/** @param to the last day of the period that follows right after the one before */
export function leastComparison(schoolId: number, selection: Selection, before: Days, to: string): Statement {
  const whose =
    selection === 'school'
      ? 'true'
      : 'pupilId' in selection
        ? `pupil_id = ${selection.pupilId}`
        : `pupil_id in (select id from pupils where school_id = ${schoolId} and class_id = ${selection.classId})`;
  const days = selection === 'school' ? 'school_reading_days' : 'reading_days';
  return {
    text: `select read.*, books.*,
        exists (select from ${days} where school_id = $1 and day <= $2::date and ${whose}) as has_begun
      from (
        select day > $3::date as is_now, sum(reading_time) as reading_time, sum(words_attempted) as attempted, sum(words_correct) as correct
        from ${days} where school_id = $1 and day between $2::date and $4::date and ${whose} group by 1
      ) read cross join (
        select count(*) filter (where last > $3::date) as books_now, count(*) filter (where first <= $3::date) as books_then
        from (
          select min(day) as first, max(day) as last from book_completions
          where school_id = $1 and day between $2::date and $4::date and ${whose} group by pupil_id, book_id
        ) completed
      ) books`,
    values: [schoolId, before.from, before.to, to],
  };
}
