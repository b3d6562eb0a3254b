import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** The number of books of a collection in the library, so that a page of it need not count a catalogue of 50,000. */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
alter table collections add column books_count integer not null default 0

update collections set books_count = (
  select count(*) from books where collection_key = collections.key and withdrawn_at is null
)
`,
  );
