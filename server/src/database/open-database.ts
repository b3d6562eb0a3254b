import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { maskSetting } from '../settings.ts';
import { connectServer, type Database, type StatementListener } from './database.ts';
import { lockFolder, openEmbeddedFolder } from './embedded.ts';
import { securePrivateFolder } from './private-folder.ts';

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
    return { database, release: async () => undefined };
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
