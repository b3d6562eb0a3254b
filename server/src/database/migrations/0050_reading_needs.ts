import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * Reading needs: when a pupil is on the list, who is hidden for two weeks, and the index of a pupil's latest reading
 * sessions, whatever their books. See docs/decisions/who-needs-me.md.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table need_thresholds (
  school_id bigint primary key references schools (id) on delete cascade,
  days_without_reading smallint not null check (days_without_reading between 0 and 100),
  accuracy_below smallint not null check (accuracy_below between 0 and 100),
  falling_by smallint not null check (falling_by between 0 and 100),
  same_word_in smallint not null check (same_word_in between 0 and 100),
  book_begun smallint not null check (book_begun between 0 and 100)
)

create table need_dismissals (
  school_id bigint not null,
  pupil_id bigint not null,
  reason text not null,
  dismissed_by bigint not null,
  dismissed_at timestamptz not null,
  until timestamptz not null,
  primary key (school_id, pupil_id),
  foreign key (school_id, pupil_id) references pupils (school_id, id) on delete cascade
)

create index reading_sessions_by_time on reading_sessions (school_id, pupil_id, started_at)
`,
  );
