import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** Validates the kinds of erasures, in a transaction of its own: it reads the table without blocking writes. */
export const up = (db: Kysely<unknown>) =>
  runStatements(db, 'alter table erasures validate constraint erasures_kind_check');
