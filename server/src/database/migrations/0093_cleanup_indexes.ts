import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** What the nightly cleanups look for in the rows of all schools. */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create index digest_links_by_creation on digest_links (created_at)

create index digests_sent_by_age on digests_sent (sent_at)

create index invites_by_end on invites (expires_at)

create index sessions_by_last_use on sessions (last_used_at)

create index class_books_by_book on class_books (book_id)

create index pupil_books_by_book on pupil_books (book_id)
`,
  );
