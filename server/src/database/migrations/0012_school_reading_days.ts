import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * Daily totals of all pupils of a school by level, for charts of the whole school: the number of rows does not
 * depend on the number of pupils. Free space in each page lets updates leave the index unchanged.
 * See docs/decisions/statistics-from-daily-totals.md.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table school_reading_days (
  school_id bigint not null references schools (id) on delete cascade,
  day date not null,
  reading_level smallint not null,
  reading_time bigint not null,
  words_attempted bigint not null,
  words_correct bigint not null,
  primary key (school_id, day, reading_level)
) with (fillfactor = 60)

insert into school_reading_days (school_id, day, reading_level, reading_time, words_attempted, words_correct)
select school_id, day, reading_level, sum(reading_time), sum(words_attempted), sum(words_correct)
from reading_days group by school_id, day, reading_level
order by school_id, day, reading_level
`,
  );
