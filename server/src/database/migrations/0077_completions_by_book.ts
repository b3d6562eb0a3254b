import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** Whether a pupil ever completed a book, found at once: by the key all that a pupil completed was read, more each year. */
export const up = (db: Kysely<unknown>) =>
  runStatements(db, 'create index book_completions_by_book on book_completions (school_id, pupil_id, book_id)');
