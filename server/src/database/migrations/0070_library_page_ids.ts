import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** The index that pages the library includes the IDs, so that skipped books are never fetched. */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
drop index books_library

create index books_library on books (library_position) include (id, collection_key, reading_level, title_key)
  where withdrawn_at is null
`,
  );
