import { mkdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import type { Config } from '../config.ts';
import { securePrivateFolder } from './private-folder.ts';
import { connectServer, type Database, openEmbedded, type StatementListener } from './database.ts';

/** After so many milliseconds without a sign of life a lock is nobody's, whatever is known of its owner. */
const STALE_MS = 15_000;
/** As long as an owner that stops, or one of which nothing is known, may take. */
const WAIT_MS = STALE_MS + 3000;

/** A process, so that another one can tell whether it still runs: only where both count processes in the same way. */
interface Owner {
  pid: number;
  started: string;
  machine: string;
}

/** A process as the system knows it; undefined when it does not run, or where the system does not tell. */
function describeProcess(pid: number): Owner | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything; what follows it are numbers, the start in ticks among them.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, started: fields[19] ?? '', machine: `${boot} ${readlinkSync('/proc/self/ns/pid')}` };
  } catch {
    return undefined;
  }
}

/** True when the owner of a lock is proven to run no more. */
function isGone(ownerFile: string): boolean {
  try {
    const owner = JSON.parse(readFileSync(ownerFile, 'utf8')) as Owner;
    if (owner.machine !== describeProcess(process.pid)?.machine) return false;
    return describeProcess(owner.pid)?.started !== owner.started;
  } catch {
    return false;
  }
}

/** Makes a lock look as old as one that nobody holds; another process may have taken it away meanwhile. */
function age(lockfilePath: string): void {
  try {
    utimesSync(lockfilePath, 0, 0);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
}

/**
 * Two processes on one embedded database lose data without a word: the second does not start. The lock of a process
 * that crashed is taken over at once; for one that is stopping the next waits.
 * @param onWait told when there is somebody to wait for
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
      // Aged, so that the lock is taken over in the one way in which locks are.
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
 * Opens the database that the settings name.
 * @param onLost told when a server's connection ends
 * @param onWait told when another process has the data folder, and it is waited for
 * @param onStatement for traces
 * @returns `release` gives the data folder free again, after the database is closed
 */
export async function openDatabase(
  config: Config,
  onLost: () => void,
  onWait: () => void,
  onStatement?: StatementListener,
): Promise<{ database: Database; release: () => Promise<void> }> {
  if (config.databaseUrl) {
    // Mails, publishers' files and backups are here in either case.
    await securePrivateFolder(config.dataDir);
    const database = connectServer(config.databaseUrl, onLost, undefined, undefined, undefined, onStatement);
    return { database, release: async () => undefined };
  }
  const release = await lockFolder(config.dataDir, onWait);
  await securePrivateFolder(config.dataDir);
  return { database: await openEmbedded(config.dataDir, undefined, onStatement), release };
}
