import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sql } from 'kysely';
import { DUMP_NAME, withLockIfFree } from '../database/advisory-locks.ts';
import type { Database, Server } from '../database/database.ts';
import { requireServer } from '../database/embedded.ts';
import { hasClusterExtension } from '../database/cluster/cluster.queries.ts';
import { readInPlatform } from '../database/platform.ts';
import { type BackupOptions, type Manifest, writeBackupFile } from './backup-file.ts';
import { streamDump } from './postgres-tools.ts';

/** Older versions force row-level security on the owner, who sees every row as a member of the platform's role. */
const DUMP_OPTIONS = ['--format=custom', '--enable-row-security', '--no-unlogged-table-data'];

async function describe(database: Database): Promise<Pick<Manifest, 'kind' | 'postgres' | 'schema'>> {
  if (await hasClusterExtension(database.kysely))
    throw new Error(
      'A backup of this kind cannot be restored on a cluster. Back up each machine: docs/running.md, "Back up a cluster".',
    );
  const { rows } = await readInPlatform(database, ({ tx }) =>
    sql<{ postgres: number; schema: string }>`
      select current_setting('server_version_num')::int / 10000 as postgres, max(name) as schema
      from kysely_migration`.execute(tx),
  );
  const [found] = rows;
  if (!found?.schema) throw new Error('The database does not contain a portal.');
  return { kind: 'server', ...found };
}

/** Settings of pg_dump would stay on a pooler's connection, and reach requests. */
function assertDirect({ pool, directUrl, isPooled }: Server): void {
  if (isPooled && directUrl === pool.options.connectionString)
    throw new Error('A backup needs DATABASE_DIRECT_URL, because DATABASE_URL names a pooler.');
}

/** The content of a backup, which arrives in parts. */
function readContents(server: Server, signal: AbortSignal, snapshot: string | undefined): AsyncIterable<Uint8Array> {
  assertDirect(server);
  const options = snapshot === undefined ? DUMP_OPTIONS : [...DUMP_OPTIONS, `--snapshot=${snapshot}`];
  return streamDump(server.directUrl, options, signal);
}

/** Renames a complete file, so that a file with the final name is always complete. */
async function finishPartial(partial: string, path: string): Promise<void> {
  await rename(partial, path);
  // Syncing the folder makes the name durable.
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}

/**
 * Creates an empty file next to `path` for incomplete content, which only this user of the machine can read, because it
 * will contain children's names. Replaces a file left by an interrupted backup.
 */
async function createPartial(path: string): Promise<string> {
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  await writeFile(partial, '', { mode: 0o600, flag: 'wx' });
  return partial;
}

/** Replaces a file by one with this text: after a crash it has the former text or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const partial = await createPartial(path);
  await writeFile(partial, text, { flush: true });
  await finishPartial(partial, path);
}

/** The text of a file; undefined if it does not exist. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Throws if the file exists. */
function assertNoFile(path: string): void {
  if (existsSync(path)) throw new Error(`The file ${path} already exists. Choose another name.`);
}

const alreadyRunning = () =>
  new Error('Another backup of this database is running, or an upgrade. Try again once it has finished.');

/**
 * Runs `work` unless a backup or a migration of this database is running in any process. The lock ends with its
 * connection, but pg_dump survives a process that is killed.
 */
async function withBackupLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const result = await withLockIfFree(database.kysely, 'backup', async () => {
    const { rows } = await readInPlatform(database, ({ tx }) =>
      sql`select from pg_stat_activity
        where application_name = ${DUMP_NAME} and datname = current_database()`.execute(tx),
    );
    if (rows.length > 0) throw alreadyRunning();
    return { done: await work() };
  });
  if (!result) throw alreadyRunning();
  return result.done;
}

/** A partial file that has not grown for this long was left by a killed process. */
const STALE_AFTER_MS = 3_600_000;

const isPartial = (name: string): boolean => /^portal-.*\.backup(\.age)?(\.plain)?\.partial$/.test(name);

/** Deletes the incomplete files that killed nightly backups left in a folder. */
export async function deleteStalePartials(folder: string, now: Date): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of await readdir(folder)) {
    if (!isPartial(name)) continue;
    const path = join(folder, name);
    // Another process may have completed or deleted it since.
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < now.getTime() - STALE_AFTER_MS) await rm(path, { force: true });
  }
}

/**
 * Backs up the whole database, including jobs and emails, as of one moment, without interrupting work.
 * A failure leaves no file, an existing file is never replaced, and no second backup runs at the same time.
 */
export async function backUp(
  database: Database,
  path: string,
  now: Date,
  options: BackupOptions = {},
): Promise<Manifest> {
  // The owner of the copy reports its failures.
  options.copyTo?.on('error', () => undefined);
  try {
    const server = requireServer(database);
    return await withBackupLock(database, () => writeBackup(database, server, path, now, options));
  } catch (error) {
    options.copyTo?.destroy(error as Error);
    throw error;
  }
}

async function writeBackup(
  database: Database,
  server: Server,
  path: string,
  now: Date,
  options: BackupOptions,
): Promise<Manifest> {
  assertNoFile(path);
  const about = await describe(database);
  // With the lock, no other process is writing one.
  if (isPartial(`${basename(path)}.partial`))
    for (const name of await readdir(dirname(path)))
      if (isPartial(name)) await rm(join(dirname(path), name), { force: true });
  const partial = await createPartial(path);
  try {
    const description = { ...about, created_at: now.toISOString() };
    const manifest = await writeBackupFile(
      partial,
      (signal) => readContents(server, signal, options.snapshot),
      description,
      options,
    );
    await finishPartial(partial, path);
    return manifest;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
