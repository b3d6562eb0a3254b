import type { Kysely } from 'kysely';
import { createIndexConcurrently } from '../statements.ts';

export const runsInTransaction = false;

/** Finds whether a pupil ever completed a book; the key alone reads everything that the pupil completed. */
export const up = (db: Kysely<unknown>) =>
  createIndexConcurrently(db, 'book_completions_by_book', 'book_completions (school_id, pupil_id, book_id)');
