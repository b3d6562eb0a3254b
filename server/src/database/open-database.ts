import { existsSync, mkdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import type { Config } from '../config.ts';
import { maskSetting } from '../settings.ts';
import { securePrivateFolder } from './private-folder.ts';
import { connectServer, type Database, openEmbedded, type StatementListener } from './database.ts';

/** A lock that has not been refreshed for this long has expired, whatever the state of its owner. */
const STALE_MS = 15_000;
/** How long to wait for an owner that is stopping or whose state is unknown. */
const WAIT_MS = STALE_MS + 3000;

/**
 * Identifies a process so that another one can tell whether it still runs. Only valid where both count processes in the
 * same way.
 */
interface Owner {
  pid: number;
  started: string;
  machine: string;
}

/** The process according to the system; undefined when it does not run or the system does not tell. */
function describeProcess(pid: number): Owner | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may contain anything; numbers follow it, among them the start time in ticks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, started: fields[19] ?? '', machine: `${boot} ${readlinkSync('/proc/self/ns/pid')}` };
  } catch {
    return undefined;
  }
}

/** Returns whether the owner of a lock has certainly stopped. */
function isGone(ownerFile: string): boolean {
  try {
    const owner = JSON.parse(readFileSync(ownerFile, 'utf8')) as Owner;
    if (owner.machine !== describeProcess(process.pid)?.machine) return false;
    return describeProcess(owner.pid)?.started !== owner.started;
  } catch {
    return false;
  }
}

/** Makes a lock look expired; another process may have removed it meanwhile. */
function age(lockfilePath: string): void {
  try {
    utimesSync(lockfilePath, 0, 0);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
}

/**
 * Locks the data folder: two processes on one embedded database would lose data silently, so the second does not start.
 * The lock of a crashed process is taken over at once; the next process waits for one that is stopping.
 * @param onWait called when it waits for another process
 */
export async function lockFolder(folder: string, onWait: () => void, waitMs = WAIT_MS): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true });
  const [lockfilePath, ownerFile] = [join(folder, 'in-use.lock'), join(folder, 'in-use.json')];
  const giveUpAt = performance.now() + waitMs;
  for (let tries = 0; ; tries += 1)
    try {
      const release = await lock(folder, { stale: STALE_MS, lockfilePath });
      writeFileSync(ownerFile, JSON.stringify(describeProcess(process.pid) ?? {}));
      return release;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ELOCKED') throw error;
      // Made to look expired, so that it is taken over like any other lock.
      if (isGone(ownerFile)) age(lockfilePath);
      else if (performance.now() >= giveUpAt)
        throw new Error(
          `The data folder ${folder} is in use by another process. Stop that one, choose another DATA_DIR, or set DATABASE_URL to share a PostgreSQL server.`,
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
 * @returns `release` unlocks the data folder once the database is closed
 */
export async function openDatabase(
  config: Config,
  onLost: () => void,
  onWait: () => void,
  onStatement?: StatementListener,
): Promise<{ database: Database; release: () => Promise<void> }> {
  // Mails, publishers' files and backups are stored here with either engine.
  await securePrivateFolder(config.dataDir);
  if (config.databaseUrl) {
    const database = connectServer(config.databaseUrl, {
      onLost,
      connections: config.databasePoolSize,
      onStatement,
      directUrl: config.databaseDirectUrl,
      isPooled: config.isDatabasePooled,
      startsIdle: true,
    });
    return { database, release: async () => undefined };
  }
  const release = await lockFolder(config.dataDir, onWait);
  return { database: await openEmbedded(config.dataDir, undefined, onStatement), release };
}

const describeDatabase = ({ databaseUrl, dataDir }: Config): string =>
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
      `There is no database in ${config.dataDir}. Run the command with the settings of the portal, DATABASE_URL or DATA_DIR: set -a; . /etc/portal.env; set +a`,
    );
  print(`Database: ${describeDatabase(config)}`);
  return openDatabase(
    config,
    () => undefined,
    () => print('Another process is using the data folder; waiting for it to stop …'),
  );
}
