import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** The words of an included text that are blacked out: positions in the text, two for each passage. */
export const up = (db: Kysely<unknown>) =>
  runStatements(db, "alter table subject_request_texts add column blacked_out int[] not null default '{}'");
