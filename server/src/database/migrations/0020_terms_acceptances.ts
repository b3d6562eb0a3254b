import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** Which version of the licence and of the terms a school has accepted, who accepted it, and when. */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table terms_acceptances (
  school_id bigint not null references schools (id) on delete cascade,
  document text not null check (document in ('licence', 'terms', 'privacy')),
  version text not null,
  user_id bigint not null,
  accepted_at timestamptz not null,
  primary key (school_id, document, version)
)
`,
  );
