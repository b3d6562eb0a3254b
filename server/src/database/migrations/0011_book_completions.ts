import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * Which books a pupil completed on which day. Distinct books in a range cannot be derived from daily sums, so the
 * column with the sums is dropped. See docs/decisions/statistics-from-daily-totals.md.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table book_completions (
  school_id bigint not null,
  pupil_id bigint not null,
  day date not null,
  book_id bigint not null references books (id),
  reading_level smallint not null,
  primary key (school_id, pupil_id, day, book_id, reading_level),
  foreign key (school_id, pupil_id) references pupils (school_id, id) on delete cascade
)

create index book_completions_by_day on book_completions (school_id, day) include (pupil_id, book_id, reading_level)

insert into book_completions (school_id, pupil_id, day, book_id, reading_level)
select distinct s.school_id, s.pupil_id, (s.started_at at time zone schools.time_zone)::date, s.book_id, s.reading_level
from reading_sessions s join schools on schools.id = s.school_id
where s.has_completed_book

drop index reading_days_by_day

alter table reading_days drop column books_completed

create index reading_days_by_day on reading_days (school_id, day, reading_level)
  include (pupil_id, reading_time, words_attempted, words_correct)
`,
  );
