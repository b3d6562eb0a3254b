import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** Rate-limit counters need not survive a crash of the database: an unlogged table needs no flush to disk. */
export const up = (db: Kysely<unknown>) => runStatements(db, 'alter table rate_limits set unlogged');
