import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';
import { inPlatform, type PlatformDb } from './platform.ts';
import type { Tables } from './tables.ts';

/** Rows that one statement of a nightly job removes: well within the limit of time that every statement has. */
const BATCH = 5000;

/** Some of the rows of a platform table that fit, by where they lie; for a statement that removes or changes them. */
export const someRows = (table: keyof Tables, fits: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  sql`ctid = any (array(select ctid from ${sql.table(table)} where ${fits} limit ${BATCH}))`;

/** The same of a school table by its key: where a row lies says nothing on a cluster, whose machines each count anew. */
export const someSchoolRows = (table: 'audit_log' | 'invites', fits: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  sql`(school_id, id) in (select school_id, id from ${sql.table(table)} where ${fits} limit ${BATCH})`;

/** Removes some of the rows that fit, and returns how many. */
export async function removeSome(db: PlatformDb, table: keyof Tables, fits: RawBuilder<SqlBool>): Promise<number> {
  const some = table === 'audit_log' ? someSchoolRows(table, fits) : someRows(table, fits);
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${some}`.execute(db.tx);
  return Number(numAffectedRows);
}

/** Repeats work on some rows, a transaction each, until there are no more: requests come in between. */
export async function inBatches(database: Database, work: (db: PlatformDb) => Promise<number>): Promise<void> {
  while ((await inPlatform(database, work)) >= BATCH);
}
