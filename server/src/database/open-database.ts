import { existsSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import type { Config } from '../config.ts';
import { maskSetting } from '../settings.ts';
import { connectServer, type Database, type StatementListener } from './database.ts';
import { openEmbeddedFolder } from './embedded-folder.ts';
import { checkOwner, type FolderOwner, readOwner, recordOwner, removeOwner } from './folder-owner.ts';
import { securePrivateFolder } from './private-folder.ts';

/** A lock that has not been refreshed for this long has expired, whatever the state of its owner. */
const STALE_MS = 15_000;
/** How long to wait for an owner that is stopping or whose state is unknown. */
const WAIT_MS = STALE_MS + 3000;

/** How long to wait for a portal that runs: it may have received the signal to stop but not handled it yet. */
const RUNNING_WAIT_MS = 3000;

/** Makes a lock look expired; another process may have removed it meanwhile. */
function age(lockfilePath: string): void {
  try {
    utimesSync(lockfilePath, 0, 0);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
}

const describeOwner = ({ pid, state, url }: FolderOwner = {}): string => {
  if (state === 'serving' && url) return `the portal at ${url} (process ${pid})`;
  return state === 'starting' ? `a portal that is starting (process ${pid})` : 'another process';
};

/** Returns whether an owner certainly runs and has no reason to stop soon. */
const isStaying = (folder: string, owner: FolderOwner | undefined): boolean =>
  (owner?.state === 'serving' || owner?.state === 'starting') && checkOwner(folder, owner) === 'running';

/**
 * Locks the data folder: two processes on one embedded database would lose data silently, so the second does not start.
 * The lock of a crashed process is taken over at once. The next process waits for one that is stopping, and only briefly
 * for a portal that serves.
 * @param onWait called when it waits for another process
 */
export async function lockFolder(folder: string, onWait: () => void, waitMs = WAIT_MS): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true });
  const lockfilePath = join(folder, 'in-use.lock');
  const startedAt = performance.now();
  for (let tries = 0; ; tries += 1)
    try {
      const release = await lock(folder, { stale: STALE_MS, lockfilePath });
      recordOwner(folder, 'busy');
      return async () => {
        removeOwner(folder);
        await release();
      };
    } catch (error) {
      if ((error as { code?: string }).code !== 'ELOCKED') throw error;
      const owner = readOwner(folder);
      const patienceMs = isStaying(folder, owner) ? Math.min(waitMs, RUNNING_WAIT_MS) : waitMs;
      // Made to look expired, so that it is taken over like any other lock.
      if (checkOwner(folder, owner) === 'gone') age(lockfilePath);
      else if (performance.now() >= startedAt + patienceMs)
        throw new Error(
          `The data folder ${folder} is in use by ${describeOwner(owner)}. Stop that one, choose another DATA_DIR, or set DATABASE_URL to share a PostgreSQL server.`,
          { cause: error },
        );
      else {
        if (tries === 0) onWait();
        await wait(200);
      }
    }
}

/**
 * Opens the database that the settings specify.
 * @param onLost called when a connection to the server ends
 * @param onWait called when another process has the data folder and this one waits for it
 * @param onStatement for traces
 * @param beforeOpening called when this process has the data folder
 * @returns `release` unlocks the data folder once the database is closed
 */
export async function openDatabase(
  config: Config,
  onLost: () => void,
  onWait: () => void,
  onStatement?: StatementListener,
  beforeOpening: () => Promise<void> = async () => undefined,
): Promise<{ database: Database; release: () => Promise<void> }> {
  // Mails, publishers' files and backups are stored here with either engine.
  await securePrivateFolder(config.dataDir);
  if (config.databaseUrl) {
    await beforeOpening();
    const database = connectServer(config.databaseUrl, {
      onLost,
      connections: config.databasePoolSize,
      onStatement,
      directUrl: config.databaseDirectUrl,
      isPooled: config.isDatabasePooled,
      startsIdle: true,
    });
    return { database, release: async () => removeOwner(config.dataDir) };
  }
  const release = await lockFolder(config.dataDir, onWait);
  try {
    await beforeOpening();
    return { database: await openEmbeddedFolder(config.dataDir, onStatement), release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The database in the settings, without its password. */
export const describeDatabase = ({ databaseUrl, dataDir }: Config): string =>
  databaseUrl ? maskSetting('DATABASE_URL', databaseUrl) : `the embedded database in ${dataDir}`;

/**
 * Opens the database for a command that works on existing data, and prints which one it is. Throws if there is none:
 * without the portal's settings a command would otherwise create a new one.
 */
export async function openExistingDatabase(
  config: Config,
  print: (line: string) => void,
): Promise<{ database: Database; release: () => Promise<void> }> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'postgres')))
    throw new Error(
      `There is no database in ${config.dataDir}. Run the command with the settings of the portal, DATABASE_URL or DATA_DIR: deploy/as-portal npm run …`,
    );
  print(`Database: ${describeDatabase(config)}`);
  return openDatabase(
    config,
    () => undefined,
    () => print('Another process is using the data folder; waiting for it to stop …'),
  );
}
