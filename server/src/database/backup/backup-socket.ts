import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../clock.ts';
import type { Database } from '../database.ts';
import { type Manifest, readBackup } from './backup-file.ts';
import { assertNoFile, backUp, createPartial, finish } from './backup.ts';

/*
 * The embedded database belongs to the process that has its folder open, so that another one asks it for a backup: over
 * a socket that only the same user of the machine reaches. What comes is whole when its last line says so.
 */

/** Says, in the data folder, where the socket is: its own path may be no longer than some hundred characters. */
const ADDRESS_FILE = 'backup-socket';

/** Where backups are written before they are sent. What a killed process left there is deleted at the next start. */
const UNSENT_FOLDER = 'unsent-backups';

/** Sends a backup to each process that connects. Returns a function that stops it. The caller has locked the folder. */
export async function serveBackups(folder: string, database: Database, clock: Clock): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), 'portal-'));
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${home.replaceAll(/\W+/g, '-')}` : join(home, 'socket');
  const unsent = join(folder, UNSENT_FOLDER);
  rmSync(unsent, { recursive: true, force: true });
  mkdirSync(unsent, { mode: 0o700 });
  let made = 0;
  const answer = async (socket: Socket): Promise<void> => {
    const file = join(unsent, `${(made += 1)}.backup`);
    try {
      await backUp(database, file, clock.now());
      await pipeline(createReadStream(file), socket);
    } catch {
      // Whoever asked sees that the end is missing.
      socket.destroy();
    } finally {
      await rm(file, { force: true });
    }
  };
  const server = createServer((socket) => void answer(socket));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  writeFileSync(join(folder, ADDRESS_FILE), path);
  return async () => {
    server.close();
    await rm(join(folder, ADDRESS_FILE), { force: true });
    await rm(home, { recursive: true, force: true });
  };
}

/** A connection to the process that has the folder open; undefined when there is none. */
function reachOwner(folder: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    try {
      const socket = connect(readFileSync(join(folder, ADDRESS_FILE), 'utf8'));
      socket.once('connect', () => resolve(socket)).once('error', () => resolve(undefined));
    } catch {
      resolve(undefined);
    }
  });
}

/** Asks the process that has the data folder open for a backup; undefined when no process has. */
export async function fetchBackup(folder: string, path: string): Promise<Manifest | undefined> {
  assertNoFile(path);
  const socket = await reachOwner(folder);
  if (!socket) return undefined;
  const partial = await createPartial(path);
  try {
    await pipeline(socket, createWriteStream(partial));
    const manifest = await readBackup(partial);
    await finish(partial, path);
    return manifest;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
