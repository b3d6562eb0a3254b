import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { hasClusterExtension } from '../cluster/cluster.queries.ts';
import { type Manifest, sealBackup } from './backup-file.ts';
import { runPostgresTool } from './postgres-tools.ts';

/** Forced row-level security binds the owner too: as a member of the platform's role it sees every row. */
const DUMP_OPTIONS = ['--format=custom', '--enable-row-security', '--no-unlogged-table-data'];

async function describe({ kysely, engine }: Database): Promise<Pick<Manifest, 'kind' | 'postgres' | 'schema'>> {
  if (await hasClusterExtension(kysely))
    throw new Error(
      'A backup of this kind cannot be restored on a cluster. Back up each machine: docs/running.md, "To a point in time".',
    );
  const { rows } = await sql<{ postgres: number; schema: string }>`
    select current_setting('server_version_num')::int / 10000 as postgres, max(name) as schema from kysely_migration`.execute(
    kysely,
  );
  const [found] = rows;
  if (!found?.schema) throw new Error('The database holds no portal.');
  return { kind: engine.kind, ...found };
}

async function writeContents({ engine }: Database, path: string): Promise<void> {
  if (engine.kind === 'server') {
    const { connectionString = '' } = engine.pool.options;
    await runPostgresTool('pg_dump', connectionString, [...DUMP_OPTIONS, `--file=${path}`]);
    return;
  }
  await engine.pglite.exec('checkpoint');
  const folder = await engine.pglite.dumpDataDir('gzip');
  await writeFile(path, Buffer.from(await folder.arrayBuffer()));
}

/** Moves a finished file to its name, so that one of that name is whole. */
export async function finish(partial: string, path: string): Promise<void> {
  await rename(partial, path);
  // The name is on the disk once the folder is.
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}

/**
 * An empty file beside `path` for what is not whole yet, readable by this user of the machine alone: it will hold
 * children's names. One that a cut backup left goes.
 */
export async function createPartial(path: string): Promise<string> {
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  await writeFile(partial, '', { mode: 0o600, flag: 'wx' });
  return partial;
}

/** Throws when there is a file of that name. */
export function assertNoFile(path: string): void {
  if (existsSync(path)) throw new Error(`There is a file ${path} already. Name another one.`);
}

const LOCK = 8_461_093;
/** Embedded databases that are being dumped. Their one connection cannot hold a lock while requests use it. */
const dumping = new WeakSet<Database>();

const isRunning = () => new Error('Another backup of this database is running. Try again once it has finished.');

/** Runs `work` unless a backup of this database is running in any process. The lock ends with its connection. */
async function withBackupLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  if (database.engine.kind === 'embedded') {
    if (dumping.has(database)) throw isRunning();
    dumping.add(database);
    return work().finally(() => dumping.delete(database));
  }
  return database.kysely.connection().execute(async (connection) => {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${LOCK}) as locked`.execute(connection);
    if (!rows[0]?.locked) throw isRunning();
    return work().finally(() => sql`select pg_advisory_unlock(${LOCK})`.execute(connection));
  });
}

/** A partial file that has not grown for so long was left by a process that was killed. */
const STALE_AFTER_MS = 3_600_000;

/** Deletes what killed nightly backups left in a folder: copies of the database that are not complete. */
export async function deleteStalePartials(folder: string, now: Date): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of await readdir(folder)) {
    if (!/^portal-.*\.backup\.partial$/.test(name)) continue;
    const path = join(folder, name);
    // Another process may have finished or deleted it meanwhile.
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < now.getTime() - STALE_AFTER_MS) await rm(path, { force: true });
  }
}

/**
 * Writes all that the database holds, jobs and mails too, as it is at one moment, while work goes on.
 * A failure leaves no file behind, one that is there is never replaced, and no second backup begins beside this one.
 */
export const backUp = (database: Database, path: string, now: Date): Promise<Manifest> =>
  withBackupLock(database, () => writeBackup(database, path, now));

async function writeBackup(database: Database, path: string, now: Date): Promise<Manifest> {
  assertNoFile(path);
  const about = await describe(database);
  const partial = await createPartial(path);
  try {
    await writeContents(database, partial);
    const manifest = await sealBackup(partial, { ...about, created_at: now.toISOString() });
    await finish(partial, path);
    return manifest;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
