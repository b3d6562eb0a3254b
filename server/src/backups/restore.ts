import { existsSync, readdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { connectServer, type Database, openEmbedded } from '../database/database.ts';
import { isKnownMigration } from '../database/migrations.ts';
import { LAST_UNRELEASED, moveToCurrentSchema } from '../database/older-schema.queries.ts';
import { lockFolder } from '../database/open-database.ts';
import { readInPlatform } from '../database/platform.ts';
import { createRoles } from '../database/row-level-security.ts';
import { finishRestore, type RestoreReport, type RestoreSteps } from './after-restore.ts';
import { type Manifest, readBackup } from './backup-file.ts';
import { listTables } from '../database/invariants.queries.ts';
import { runPostgresTool } from './postgres-tools.ts';

/*
 * Restoring a backup, at night and in a hurry, by someone who has never done it. What can go wrong:
 *
 * - The live data is overwritten. A restore writes only where there is no database yet. To look at a backup while the
 *   portal runs, `--into` restores it beside the live one (`restore-into.ts`).
 * - It stops halfway. The file's hash is checked before anything is written, and then a dump is loaded in one
 *   transaction: all of it or nothing.
 * - The file is from another version. A newer version of the portal or of PostgreSQL is rejected.
 * - Rights or roles of the old machine are missing on this one. Neither is restored: roles are created here, and the
 *   start grants the rights.
 * - It works but is slow. Statements have no time limit, and statistics, which a dump lacks, are collected at the end.
 * - The restored portal acts as if no time had passed: people who were erased are back, numbers of invoices are given
 *   twice, emails are sent again. `finishRestore` corrects that before any process can serve the database.
 */

const RESTORE_OPTIONS = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error'];
const NO_TIMEOUT = 0;

/** Connects to a server without a time limit for statements. */
export const connectPatiently = (url: string): Database =>
  connectServer(url, { connections: 3, connectTimeoutMs: 60_000, statementTimeoutMs: NO_TIMEOUT });

/** Throws if this version cannot restore the backup to a database of this kind. */
export function assertRestorable(manifest: Manifest, kind: Manifest['kind']): void {
  if (!isKnownMigration(manifest.schema) && !(kind === 'server' && manifest.schema === LAST_UNRELEASED))
    throw new Error(
      'This backup was made by a newer version of the portal, or by an unreleased one. Restore it with that version. Nothing has changed.',
    );
  if (manifest.kind !== kind)
    throw new Error(
      kind === 'server'
        ? 'This is a backup of an embedded database. Restore it without DATABASE_URL. Nothing has changed.'
        : 'This is a backup of a PostgreSQL server. Set DATABASE_URL to an empty database. Nothing has changed.',
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
    await database.kysely.transaction().execute(createRoles as (tx: unknown) => Promise<void>);
    await runPostgresTool('pg_restore', url, [...RESTORE_OPTIONS, path]);
    await moveToCurrentSchema(database.kysely);
    // A dump has no statistics, without which the planner chooses bad plans.
    await sql`analyze`.execute(database.kysely);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function restoreEmbedded(folder: string, path: string, { bytes, postgres }: Manifest): Promise<Database> {
  const target = join(folder, 'postgres');
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Error(`${folder} already contains a database. Choose another DATA_DIR. Nothing has changed.`);
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return await openEmbedded(folder, new File([buffer], 'postgres.tar.gz', { type: 'application/x-gzip' }));
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw new Error(`The embedded database of this version cannot open this backup of PostgreSQL ${postgres}.`, {
      cause: error,
    });
  } finally {
    await file.close();
  }
}

/**
 * Restores a backup to an empty database on a server, or to a data folder without one: all of it, migrated to the schema
 * of this version, or nothing. Throws with a text for the user.
 */
export async function restore(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  path: string,
  steps: RestoreSteps = {},
): Promise<RestoreReport & { manifest: Manifest }> {
  const manifest = await readBackup(path);
  assertRestorable(manifest, databaseUrl ? 'server' : 'embedded');
  const release = databaseUrl ? async () => undefined : await lockFolder(dataDir, () => undefined);
  try {
    const database = databaseUrl
      ? await restoreServer(databaseUrl, path, manifest)
      : await restoreEmbedded(dataDir, path, manifest);
    try {
      return { manifest, ...(await finishRestore(database, steps)) };
    } finally {
      await database.close();
    }
  } finally {
    await release();
  }
}
