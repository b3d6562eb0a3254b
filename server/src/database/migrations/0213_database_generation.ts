import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * What recognises a restored database, and what was decided after a restore: docs/decisions/restored-databases.md.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table database_generation (
  id boolean primary key default true check (id),
  generation bigint not null,
  changed_at timestamptz,
  held_mails_to bigint
)

insert into database_generation (generation) values (0)

create table missing_document_numbers (
  kind text not null check (kind in ('invoice', 'credit_note')),
  first bigint not null,
  last bigint not null,
  found_at timestamptz not null default now(),
  primary key (kind, first),
  check (first <= last)
)
`,
  );
