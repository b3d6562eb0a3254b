import { sql } from 'kysely';
import { connectServer, type Database } from '../database/database.ts';
import { isKnownMigration } from '../database/migrations.ts';
import { LAST_UNRELEASED, moveToCurrentSchema } from '../database/older-schema.queries.ts';
import { readInPlatform } from '../database/platform.ts';
import { createRoles } from '../database/row-level-security.ts';
import { finishRestore, type RestoreReport, type RestoreSteps } from './after-restore.ts';
import { type Manifest, readBackup } from './backup-file.ts';
import { listTables } from '../database/invariants.queries.ts';
import { restoreDump } from './postgres-tools.ts';

/*
 * Restoring a backup, at night and in a hurry, by someone who has never done it. What can go wrong:
 *
 * - The live data is overwritten. A restore writes only where there is no database yet. To look at a backup while the
 *   portal runs, `--into` restores it beside the live one (`restore-into.ts`).
 * - It stops halfway. The file's hash is checked before anything is written, and then a dump is loaded in one
 *   transaction: all of it or nothing.
 * - The file is from another version. A newer version of the portal or of PostgreSQL is rejected. The rows of the last
 *   unreleased version are brought into the schema of this one.
 * - Rights or roles of the old machine are missing on this one. Neither is restored: roles are created here, and the
 *   start grants the rights.
 * - It works but is slow. Statements have no time limit, and statistics, which a dump lacks, are collected at the end.
 * - The restored portal acts as if no time had passed: people who were erased are back, numbers of invoices are given
 *   twice, emails are sent again. `finishRestore` corrects that before any process can serve the database.
 */

/** Connects to a server without a time limit for statements. */
export const connectPatiently = (url: string): Database =>
  connectServer(url, { connections: 3, connectTimeoutMs: 60_000, statementTimeoutMs: 0 });

/** Runs `work` with such a connection, and closes it. */
export async function withPatientConnection<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connectPatiently(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Throws if this version cannot restore the backup. */
export function assertRestorable(manifest: Manifest): void {
  if (!isKnownMigration(manifest.schema) && manifest.schema !== LAST_UNRELEASED)
    throw new Error(
      'This backup was made by a newer version of the portal, or by an unreleased one. Restore it with that version. Nothing has changed.',
    );
}

/** Throws if the database is empty: the steps after a restore would create a new portal in it. */
export async function assertHasTables(database: Database): Promise<void> {
  if ((await readInPlatform(database, listTables)).length === 0)
    throw new Error('The database is empty. Restore it first. Nothing has changed.');
}

/** Restores to an empty database on a server, in one transaction, and returns it open. */
export async function restoreServer(url: string, path: string, manifest: Manifest): Promise<Database> {
  const database = connectPatiently(url);
  try {
    const found = await readInPlatform(database, listTables);
    if (found.length > 0)
      throw new Error(
        `The database is not empty: it has ${found.slice(0, 3).join(', ')} … Choose one without tables, or restore beside it: npm run restore -- FILE --into NAME. Nothing has changed.`,
      );
    const { rows } = await sql<{ major: number }>`
      select current_setting('server_version_num')::int / 10000 as major`.execute(database.kysely);
    if ((rows[0]?.major ?? 0) < manifest.postgres)
      throw new Error(
        `This is a backup of PostgreSQL ${manifest.postgres}, and the server is PostgreSQL ${rows[0]?.major}. Nothing has changed.`,
      );
    await database.kysely.transaction().execute(createRoles);
    await restoreDump(url, path);
    await moveToCurrentSchema(database.kysely);
    // A dump has no statistics, without which the planner chooses bad plans.
    await sql`analyze`.execute(database.kysely);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Restores a backup to an empty database on a server: all of it, migrated to the schema of this version, or nothing.
 * Throws with a text for the user.
 */
export async function restore(
  url: string,
  path: string,
  steps: RestoreSteps = {},
): Promise<RestoreReport & { manifest: Manifest }> {
  const manifest = await readBackup(path);
  assertRestorable(manifest);
  const database = await restoreServer(url, path, manifest);
  try {
    return { manifest, ...(await finishRestore(database, steps)) };
  } finally {
    await database.close();
  }
}
