import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * The first and last days of a school's half-terms, six per academic year; a year without rows uses England's defaults.
 * See docs/decisions/term-dates.md.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table term_dates (
  school_id bigint not null references schools (id) on delete cascade,
  academic_year smallint not null,
  half_term smallint not null check (half_term between 1 and 6),
  first_day date not null,
  last_day date not null,
  primary key (school_id, academic_year, half_term),
  check (first_day <= last_day)
)
`,
  );
