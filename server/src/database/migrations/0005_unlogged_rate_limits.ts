import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** Counters of tries need not outlive a crash of the database: without a log they cost no flush to disk. */
export const up = (db: Kysely<unknown>) => runStatements(db, 'alter table rate_limits set unlogged');
