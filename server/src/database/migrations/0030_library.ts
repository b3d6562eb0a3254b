import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * Columns of the book library: searchable titles, the order of books on all screens, versions of covers and previews,
 * and withdrawn books that were read.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
alter table books
  add column title_key text collate "C",
  add column library_position integer,
  add column cover_version text,
  add column preview_version text,
  add column withdrawn_at timestamptz,
  drop constraint books_pages_count_check,
  add constraint books_pages_count_check check (pages_count >= 0)

update books set title_key = lower(title), library_position = id

alter table books
  alter column title_key set not null,
  alter column library_position set not null

create index books_library on books (library_position) include (collection_key, reading_level, title_key)
  where withdrawn_at is null

create unique index books_one_imported_title on books (collection_key, title_key) where id >= 1000000

delete from catalogue_state
`,
  );
