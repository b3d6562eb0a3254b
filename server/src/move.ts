// npm run move -- --to TARGET copies the portal's database from one engine to the other.
import { resolve } from 'node:path';
import { listJobs } from './app.ts';
import { formatSecretsKey } from './auth/secrets-key.ts';
import { systemClock } from './clock.ts';
import { type Config, readConfig } from './config.ts';
import { connectServer, type Database } from './database/database.ts';
import {
  hasEmbeddedDatabase,
  markComplete,
  markIncomplete,
  removeEmbeddedDatabase,
} from './database/embedded-folder.ts';
import { assertMovable, assertNotInUse, moveDatabase } from './backups/move.ts';
import { openDatabase, openExistingDatabase } from './database/open-database.ts';
import { copyOriginals, findMissingOriginals } from './features/books/book-content/book-content.public.ts';
import { openQueue } from './jobs/queue.ts';

const USAGE = `Usage:
  npm run move -- --to DATABASE_URL   copies the embedded database in DATA_DIR to an empty database of a PostgreSQL
                                      server; DATA_DIR stays in use for publishers' covers and previews
  npm run move -- --to FOLDER         copies the database in DATABASE_URL, with those covers and previews, to an
                                      embedded database in FOLDER, the new DATA_DIR

Stop the portal first. The database that is copied stays as it is.`;

const say = (line: string) => process.stdout.write(`${line}\n`);

const isUrl = (text: string): boolean => /^\w+:\/\//.test(text);

/** A connection without deadlines, which a copy of a whole database would exceed. */
const connectPatiently = (url: string): Database =>
  connectServer(url, { connections: 1, connectTimeoutMs: 60_000, statementTimeoutMs: 0 });

interface Target {
  database: Database;
  /** Call when every row is copied. */
  complete(): void;
  /** Closes it; an embedded database that is not complete is removed. */
  close(): Promise<void>;
}

/** Opens the database to fill. The folder of an embedded one is marked until it is complete, in case this process ends. */
async function openTarget(config: Config): Promise<Target> {
  if (config.databaseUrl) {
    const database = connectPatiently(config.databaseUrl);
    return { database, complete: () => undefined, close: database.close };
  }
  const { dataDir } = config;
  const assertVacant = async () => {
    if (hasEmbeddedDatabase(dataDir))
      throw new Error(`${dataDir} already contains a database. Choose another folder. Nothing has changed.`);
  };
  const ignore = () => undefined;
  const { database, release } = await openDatabase(config, ignore, ignore, undefined, assertVacant);
  markIncomplete(dataDir);
  let isComplete = false;
  return {
    database,
    complete: () => {
      isComplete = true;
    },
    close: async () => {
      await database.close();
      if (isComplete) markComplete(dataDir);
      else removeEmbeddedDatabase(dataDir);
      await release();
    },
  };
}

async function run(): Promise<void> {
  const [option, to, ...rest] = process.argv.slice(2);
  if (option !== '--to' || !to || rest.length > 0) throw new Error(USAGE);
  const config = readConfig(process.env);
  if (isUrl(to) === Boolean(config.databaseUrl))
    throw new Error(
      config.databaseUrl
        ? 'DATABASE_URL names the database to copy, so the target must be a folder.'
        : 'Without DATABASE_URL the embedded database is copied, so the target must be a postgres:// URL.',
    );
  const serverUrl = config.databaseDirectUrl ?? config.databaseUrl;
  const source = serverUrl
    ? { database: connectPatiently(serverUrl), release: async () => undefined }
    : await openExistingDatabase(config, say);
  let target: Target | undefined;
  try {
    await assertMovable(source.database);
    const targetSettings = isUrl(to)
      ? { ...process.env, DATABASE_URL: to, PUBLIC_URL: config.publicUrl, SECRETS_KEY: formatSecretsKey(config) }
      : { ...process.env, DATABASE_URL: '', DATABASE_DIRECT_URL: '', DATA_DIR: resolve(to) };
    const targetConfig = readConfig(targetSettings);
    target = await openTarget(targetConfig);
    const installQueue = async (database: Database) => {
      const services = { config: targetConfig, database, clock: systemClock };
      const fail = (error: Error) => {
        throw error;
      };
      const queue = await openQueue(
        database,
        listJobs(services, async () => undefined),
        fail,
      );
      await queue.stop();
    };
    const { counts, findings } = await moveDatabase(source.database, target.database, installQueue, async (db) => {
      if (targetConfig.dataDir !== config.dataDir) await copyOriginals(config.dataDir, targetConfig.dataDir);
      return findMissingOriginals(db, targetConfig.dataDir);
    });
    // What a portal has written since the copy began would be missing.
    await assertNotInUse(source.database);
    target.complete();
    say(`Copied ${counts.schools} schools, ${counts.pupils} pupils, ${counts.sessions} reading sessions:`);
    for (const { rule, breaches } of findings)
      say(breaches.length === 0 ? `  ✓ ${rule}` : `  ✗ ${rule}, except ${breaches.join(', ')}`);
    if (findings.some(({ breaches }) => breaches.length > 0))
      throw new Error('The copy is complete, but its content breaks the rules marked above.');
    const key = config.secretsKeys.length > 0 ? '' : ` and SECRETS_KEY to the content of ${config.dataDir}/secrets.key`;
    say(
      isUrl(to)
        ? `Start the portal with DATABASE_URL set to the target${key}.`
        : `Start the portal with DATA_DIR=${targetConfig.dataDir} and without DATABASE_URL.`,
    );
  } finally {
    await target?.close();
    await source.database.close();
    await source.release();
  }
}

run().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
