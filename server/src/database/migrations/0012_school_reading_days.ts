import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * What a school's pupils read on a day on one level, all of them together: a chart of the whole school reads these,
 * whose number does not grow with its pupils. Free space in each page keeps additions out of the index.
 * See docs/decisions/0004-totals-by-day.md.
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
