/*
 * The embedded database: PostgreSQL (PGlite) in the portal's process, for trying the portal and for single tests. What
 * differs from a server is here: opening it, its folder and lock, its types, its upkeep, and what it cannot do. It has one
 * connection, as a superuser, so transactions never overlap.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { lock } from 'proper-lockfile';
import { type Database, openKysely, openWriteQueue, parsers, type Server, type StatementListener } from './database.ts';
import { refreshStatistics, vacuum } from './table-statistics.ts';

/** The major version of PostgreSQL that the embedded database is. It opens no folder of another one. */
export const EMBEDDED_POSTGRES = '18';

const BYTEA = 17;

/**
 * Opens the embedded database in a folder, or in memory without one.
 * @param contents a dump of a data folder to start with (`dumpDataDir`), for tests
 */
export async function openEmbedded(
  folder?: string,
  contents?: Blob,
  onStatement?: StatementListener,
): Promise<Database> {
  if (folder) mkdirSync(folder, { recursive: true });
  // Freeing a replaced WebAssembly wrapper occasionally crashes the process (V8 13.6: `allocations_.erase(addr) == 1`).
  setFlagsFromString('--no-wasm-code-gc');
  const pglite = await PGlite.create({
    ...(folder ? { dataDir: join(folder, 'postgres') } : {}),
    ...(contents ? { loadDataDir: contents } : {}),
    // The server's driver returns a Buffer without a parser of ours.
    parsers: { ...parsers, [BYTEA]: (text: string) => Buffer.from(text.slice('\\x'.length), 'hex') },
  });
  return {
    kysely: openKysely(new PGliteDialect({ pglite }), onStatement),
    engine: { kind: 'embedded', pglite },
    // The embedded engine queues transactions on its single connection.
    writes: openWriteQueue(Infinity),
    jobs: undefined,
    close: () => pglite.close(),
  };
}

/** For an operator who needs what only a server can do. */
export const NEEDS_SERVER =
  'needs a PostgreSQL server in DATABASE_URL. The embedded database is for trying: npm run move -- --to DATABASE_URL copies it to a server';

/** The server of the database. Throws if the database is embedded. */
export function requireServer({ engine }: Database): Server {
  if (engine.kind === 'embedded') throw new Error(`This ${NEEDS_SERVER}.`);
  return engine;
}

const STATISTICS_JOB = 'statistics';
const VACUUM_JOB = 'vacuum';

/** Jobs that only the embedded database has. */
export const EMBEDDED_JOBS: readonly string[] = [STATISTICS_JOB, VACUUM_JOB];

/** What autovacuum does on a server. The embedded database has none. */
export const embeddedUpkeepJobs = ({
  kysely,
  engine,
}: Database): { name: string; schedule: string; retries?: number; run: () => Promise<void> }[] =>
  engine.kind === 'server'
    ? []
    : [
        {
          name: STATISTICS_JOB,
          schedule: '* * * * *',
          retries: 0,
          run: async () => void (await refreshStatistics(kysely)),
        },
        { name: VACUUM_JOB, schedule: '20 3 * * *', run: () => vacuum(kysely) },
      ];

/** A lock that has not been refreshed for this long was left by a killed process. A long statement delays the refresh. */
const STALE_MS = 15_000;
/** Also longer than a portal takes to stop. */
const WAIT_MS = STALE_MS + 3000;
const POLL_MS = 200;

/**
 * Locks the data folder: two processes on one embedded database would lose data silently. Waits for a process that is
 * stopping or was killed, and throws if another one still uses the folder then.
 * @param onWait called when it waits for another process
 * @returns a function that unlocks the folder
 */
export async function lockFolder(folder: string, onWait: () => void, waitMs = WAIT_MS): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true });
  const giveUpAt = performance.now() + waitMs;
  for (let tries = 0; ; tries += 1)
    try {
      return await lock(folder, { stale: STALE_MS, lockfilePath: join(folder, 'in-use.lock') });
    } catch (error) {
      if ((error as { code?: string }).code !== 'ELOCKED') throw error;
      if (performance.now() >= giveUpAt)
        throw new Error(
          `Another process uses the data folder ${folder}. Stop that process, choose another DATA_DIR, or set DATABASE_URL to share a PostgreSQL server.`,
          { cause: error },
        );
      if (tries === 0) onWait();
      await wait(POLL_MS);
    }
}

const MEGABYTE = 1_000_000;
/** A new database with the demonstration schools takes about 110 MB. */
const NEW_DATABASE_BYTES = 200 * MEGABYTE;
/** On a disk with less space the embedded database may stop answering instead of failing. */
const OPEN_DATABASE_BYTES = 50 * MEGABYTE;

/** A start that fails for a reason that the user can remove; the message says how. */
class StartError extends Error {}

const formatMegabytes = (bytes: number): string => `${Math.floor(bytes / MEGABYTE)} MB`;

/** Throws when a disk has too little space for a start. */
export function assertDiskSpace(folder: string, freeBytes: number, isNew: boolean): void {
  const neededBytes = isNew ? NEW_DATABASE_BYTES : OPEN_DATABASE_BYTES;
  if (freeBytes < neededBytes)
    throw new StartError(
      `The disk of ${folder} has too little space: ${formatMegabytes(freeBytes)} are free and a start needs ${formatMegabytes(neededBytes)}. Free some space, or choose a DATA_DIR on another disk.`,
    );
}

function getFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const suggestNewDatabase = (folder: string): string =>
  `Move ${join(folder, 'postgres')} away to start with a new database, or choose another DATA_DIR.`;

const describeDamage = (folder: string, detail: string): string =>
  `The database in ${folder} cannot be opened (${detail}). It is damaged, or only part of it was copied. ${suggestNewDatabase(folder)}`;

/** Throws unless a folder is that of a database which this version can open. */
function assertCanOpen(folder: string, postgres: string): void {
  const versionPath = join(postgres, 'PG_VERSION');
  // The engine would create a new database over the remains.
  if (!existsSync(versionPath)) throw new StartError(describeDamage(folder, 'PG_VERSION is missing'));
  const version = readFileSync(versionPath, 'utf8').trim();
  if (version !== EMBEDDED_POSTGRES)
    throw new StartError(
      `The database in ${folder} has the format of PostgreSQL ${version || '(unknown)'}, and this version of the portal needs ${EMBEDDED_POSTGRES}. To keep its data, copy it to a server with the version of the portal that wrote it: npm run move -- --to DATABASE_URL. ${suggestNewDatabase(folder)}`,
    );
}

/** Why the embedded database failed: the engine throws errors without a message, and some that are no errors. */
function describeFailure(error: unknown): string {
  const { message, code, errno } = (error ?? {}) as { message?: string; code?: string; errno?: number };
  return message?.replace(/\. Build with .*/, '') || code || (errno === undefined ? 'unknown error' : `error ${errno}`);
}

const DISK_FULL = /^(ENOSPC|53100)$/;
/** Damaged data, errors of files, and the engine's own failure. */
const DAMAGED = /^(XX...|58...)$/;
const ABORTED = /^Aborted\(|^PGlite failed|unreachable|memory access out of bounds|^unknown error$|^error \d+$/;

/** Explains an error of the embedded database during a start; undefined if it is neither a full disk nor damage. */
export function explainEmbeddedFailure(error: unknown, folder: string): StartError | undefined {
  if (error instanceof StartError) return error;
  const detail = describeFailure(error);
  const { code = '' } = (error ?? {}) as { code?: string };
  if (DISK_FULL.test(code) || /no space left on device/i.test(detail))
    return new StartError(
      `The disk of ${folder} is full (${detail}). Free at least ${formatMegabytes(NEW_DATABASE_BYTES)}, or choose a DATA_DIR on another disk, and start again.`,
      { cause: error },
    );
  return DAMAGED.test(code) || ABORTED.test(detail)
    ? new StartError(describeDamage(folder, detail), { cause: error })
    : undefined;
}

/**
 * Opens the embedded database in a data folder, or creates it. While it is created, a marker beside it says that it
 * contains nothing yet: the next start creates it again if this one is interrupted.
 */
export async function openEmbeddedFolder(folder: string, onStatement?: StatementListener): Promise<Database> {
  const postgres = join(folder, 'postgres');
  const marker = join(folder, 'postgres-incomplete');
  try {
    mkdirSync(folder, { recursive: true });
    if (existsSync(marker)) rmSync(postgres, { recursive: true, force: true });
    const isNew = !existsSync(postgres) || readdirSync(postgres).length === 0;
    if (!isNew) assertCanOpen(folder, postgres);
    assertDiskSpace(folder, getFreeBytes(folder), isNew);
    if (isNew) writeFileSync(marker, 'The database is being created. The next start creates it again.\n');
    const database = await openEmbedded(folder, undefined, onStatement);
    rmSync(marker, { force: true });
    return database;
  } catch (error) {
    throw explainEmbeddedFailure(error, folder) ?? error;
  }
}
