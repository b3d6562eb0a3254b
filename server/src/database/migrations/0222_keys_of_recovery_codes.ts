import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** The key of a recovery code's digest, which cannot be computed again. Null: the first key of the database. */
export const up = (db: Kysely<unknown>) =>
  runStatements(db, 'alter table recovery_codes add column key_fingerprint text');
