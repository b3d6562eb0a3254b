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
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { type Manifest, readBackup } from './backup-file.ts';
import { encrypt } from './encryption.ts';
import { assertNoFile, backUp, createPartial, finishPartial } from './backup.ts';

/*
 * Only the process that has the embedded database's folder open can back it up. Another process requests a backup from it
 * over a socket that only the same user of the machine can open. The last line shows that the backup is complete.
 */

/** This file in the data folder contains the path of the socket, whose length is limited to about 100 characters. */
const ADDRESS_FILE = 'backup-socket';

/** Backups are written here before they are sent. Files left by a killed process are deleted at the next start. */
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
      // The client notices that the end is missing.
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

/** Connects to the process that has the folder open; undefined without one. */
function connectToOwner(folder: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    try {
      const socket = connect(readFileSync(join(folder, ADDRESS_FILE), 'utf8'));
      socket.once('connect', () => resolve(socket)).once('error', () => resolve(undefined));
    } catch {
      resolve(undefined);
    }
  });
}

/** Requests a backup from the process that has the data folder open; undefined without one. */
export async function fetchBackup(
  folder: string,
  path: string,
  recipients: readonly string[] = [],
): Promise<Manifest | undefined> {
  assertNoFile(path);
  const socket = await connectToOwner(folder);
  if (!socket) return undefined;
  const isEncrypted = recipients.length > 0;
  const partial = await createPartial(isEncrypted ? `${path}.plain` : path);
  try {
    await pipeline(socket, createWriteStream(partial));
    const manifest = await readBackup(partial);
    if (!isEncrypted) await finishPartial(partial, path);
    else {
      const encrypted = await createPartial(path);
      await pipeline(encrypt(createReadStream(partial), recipients), createWriteStream(encrypted, { flush: true }));
      await rm(partial);
      await finishPartial(encrypted, path);
    }
    return manifest;
  } catch (error) {
    for (const left of [partial, `${path}.partial`]) await rm(left, { force: true });
    throw error;
  }
}
