import type { Kysely } from 'kysely';
import { createIndexConcurrently } from '../statements.ts';

export const runsInTransaction = false;

/** What the nightly cleanups look for in the rows of all schools. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexConcurrently(db, 'digest_links_by_creation', 'digest_links (created_at)');
  await createIndexConcurrently(db, 'digests_sent_by_age', 'digests_sent (sent_at)');
  await createIndexConcurrently(db, 'invites_by_end', 'invites (expires_at)');
  await createIndexConcurrently(db, 'sessions_by_last_use', 'sessions (last_used_at)');
  await createIndexConcurrently(db, 'class_books_by_book', 'class_books (book_id)');
  await createIndexConcurrently(db, 'pupil_books_by_book', 'pupil_books (book_id)');
}
