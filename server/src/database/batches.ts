import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';
import { inPlatform } from './platform.ts';
import type { PlatformDb } from './platform-db.ts';
import type { SCHOOL_TABLES } from './table-kinds.ts';
import type { Tables } from './tables.ts';

/** Rows per statement: few enough to finish well within the statement timeout. */
const BATCH_SIZE = 5000;

type SchoolTable = (typeof SCHOOL_TABLES)[number];

/**
 * The primary key of a table. That of a school table begins with the school, because a cluster finds rows by it;
 * physical row IDs (ctid) repeat on each of its machines.
 */
type Key<Table extends keyof Tables> = Table extends SchoolTable
  ? readonly ['school_id', ...(keyof Tables[Table] & string)[]]
  : readonly (keyof Tables[Table] & string)[];

/** A condition that selects at most one batch of the rows that meet `condition`. */
export function inBatch<Table extends keyof Tables>(
  table: Table,
  key: Key<Table>,
  condition: RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  return sql`(${columns}) in (select ${columns} from ${sql.table(table)} where ${condition} limit ${BATCH_SIZE})`;
}

/** Deletes one batch of the rows that meet `condition`. Returns the number deleted. */
export async function deleteBatch<Table extends keyof Tables>(
  db: PlatformDb,
  table: Table,
  key: Key<Table>,
  condition: RawBuilder<SqlBool>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${inBatch(table, key, condition)}`.execute(db.tx);
  return Number(numAffectedRows);
}

/** Changes one batch of rows and returns how many; the same call then finds the next batch. */
export type Cleanup = (db: PlatformDb) => Promise<number>;

/**
 * Runs each cleanup in turn, batch by batch in transactions of their own, so that requests are served in between.
 * A cleanup that fails does not stop the next ones; its error is thrown at the end.
 * @param signal ends the work before the next batch
 */
export async function runCleanups(
  database: Database,
  cleanups: readonly Cleanup[],
  signal?: AbortSignal,
): Promise<void> {
  const errors: unknown[] = [];
  for (const cleanup of cleanups)
    try {
      do signal?.throwIfAborted();
      while ((await inPlatform(database, cleanup)) >= BATCH_SIZE);
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${cleanups.length} cleanups failed`);
}
