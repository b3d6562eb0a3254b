import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import type { Config } from '../config.ts';
import { connectServer, type Database, openEmbedded } from './database.ts';

/** Two processes on one embedded database lose data without a word: the second does not start. */
async function lockFolder(folder: string): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true });
  try {
    return await lock(folder, { stale: 15_000, lockfilePath: join(folder, 'in-use.lock') });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ELOCKED') throw error;
    throw new Error(
      `The data folder ${folder} is in use by another process. Stop that one, choose another DATA_DIR, or set DATABASE_URL to share a PostgreSQL server.`,
      { cause: error },
    );
  }
}

/**
 * Opens the database that the settings name.
 * @param onLost told when a server's connection ends
 * @returns `release` gives the data folder free again, after the database is closed
 */
export async function openDatabase(
  config: Config,
  onLost: () => void,
): Promise<{ database: Database; release: () => Promise<void> }> {
  if (config.databaseUrl) {
    const database = connectServer(config.databaseUrl, onLost);
    return { database, release: async () => undefined };
  }
  const release = await lockFolder(config.dataDir);
  return { database: await openEmbedded(config.dataDir), release };
}
