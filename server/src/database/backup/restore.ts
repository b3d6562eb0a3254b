import { existsSync, readdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import { connectServer, type Database, openEmbedded, prepareDatabase } from '../database.ts';
import { isKnownMigration } from '../migrations.ts';
import { lockFolder } from '../open-database.ts';
import { readInPlatform } from '../platform.ts';
import type { PlatformDb } from '../platform-db.ts';
import { createRoles } from '../row-level-security.ts';
import { type Manifest, readBackup } from './backup-file.ts';
import { checkInvariants, countEverything, type Finding, listTables } from './invariants.queries.ts';
import { runPostgresTool } from './postgres-tools.ts';

/** What a restore found in the database that it made. */
export interface Restored {
  manifest: Manifest;
  counts: { schools: number; pupils: number; sessions: number };
  findings: Finding[];
}

const RESTORE_OPTIONS = ['--no-owner', '--single-transaction', '--exit-on-error'];
/** Everything that a restore does may take any time. */
const ANY_TIME = 0;

function assertRestorable(manifest: Manifest, kind: Manifest['kind']): void {
  if (!isKnownMigration(manifest.schema))
    throw new Error(
      'This backup was made by a newer version of the portal. Restore it with that one. Nothing was changed.',
    );
  if (manifest.kind !== kind)
    throw new Error(
      kind === 'server'
        ? 'This is a backup of an embedded database: restore it without DATABASE_URL. Nothing was changed.'
        : 'This is a backup of a PostgreSQL server: name one that is empty in DATABASE_URL. Nothing was changed.',
    );
}

async function restoreServer(url: string, path: string, manifest: Manifest): Promise<Database> {
  const database = connectServer(url, () => undefined, 3, 60_000, ANY_TIME);
  try {
    const found = await readInPlatform(database, listTables);
    if (found.length > 0)
      throw new Error(
        `The database is not empty: it has ${found.slice(0, 3).join(', ')} … Name one without tables. Nothing was changed.`,
      );
    const { rows } = await sql<{ major: number }>`
      select current_setting('server_version_num')::int / 10000 as major`.execute(database.kysely);
    if ((rows[0]?.major ?? 0) < manifest.postgres)
      throw new Error(
        `This backup is of PostgreSQL ${manifest.postgres}, the server is PostgreSQL ${rows[0]?.major}. Nothing was changed.`,
      );
    // They belong to the server, and no dump of a database holds them.
    await database.kysely.transaction().execute(createRoles as (tx: unknown) => Promise<void>);
    await runPostgresTool('pg_restore', url, [...RESTORE_OPTIONS, path]);
    // A dump has no statistics, without which no plan is good.
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
    throw new Error(`There is a database in ${folder} already. Name another DATA_DIR. Nothing was changed.`);
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return await openEmbedded(folder, new File([buffer], 'postgres.tar.gz', { type: 'application/x-gzip' }));
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw new Error(
      `The embedded database of this version does not open this backup, which is of PostgreSQL ${postgres}.`,
      { cause: error },
    );
  } finally {
    await file.close();
  }
}

/** Looks at something besides the database that the restored rows need. */
export type Check = (db: PlatformDb) => Promise<Finding>;

/** Brings the schema up to date, and looks at what must hold. */
async function inspect(database: Database, manifest: Manifest, checks: readonly Check[]): Promise<Restored> {
  await prepareDatabase(database, async () => undefined);
  return readInPlatform(database, async (db) => ({
    manifest,
    counts: await countEverything(db),
    findings: [...(await checkInvariants(db)), ...(await Promise.all(checks.map((check) => check(db))))],
  }));
}

/**
 * Restores a backup into an empty database: the server's, or a data folder without one. Either all of it is there
 * afterwards, in the schema of this version, or nothing. Throws in words for a person.
 */
export async function restore(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  path: string,
  checks: readonly Check[] = [],
): Promise<Restored> {
  const manifest = await readBackup(path);
  assertRestorable(manifest, databaseUrl ? 'server' : 'embedded');
  const release = databaseUrl ? async () => undefined : await lockFolder(dataDir, () => undefined);
  try {
    const database = databaseUrl
      ? await restoreServer(databaseUrl, path, manifest)
      : await restoreEmbedded(dataDir, path, manifest);
    try {
      return await inspect(database, manifest, checks);
    } finally {
      await database.close();
    }
  } finally {
    await release();
  }
}
