// npm run move -- --to DATABASE_URL copies the embedded database to a PostgreSQL server.
import { listJobs } from '../app.ts';
import { formatSecretsKey } from '../auth/secrets-key.ts';
import { systemClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { connectServer, type Database } from '../database/database.ts';
import { assertCurrentSchema, moveDatabase } from '../backups/move.ts';
import { openExistingDatabase } from '../database/open-database.ts';
import { findMissingOriginals } from '../features/books/book-content/book-content.public.ts';
import { openQueue } from '../jobs/queue.ts';

const USAGE = `Usage:
  npm run move -- --to DATABASE_URL   copies the embedded database in DATA_DIR to an empty database of a PostgreSQL
                                      server; DATA_DIR stays in use for publishers' covers and previews

Stop the portal first. The embedded database stays as it is.`;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function run(): Promise<void> {
  const [option, to, ...rest] = process.argv.slice(2);
  if (option !== '--to' || !to || rest.length > 0) throw new Error(USAGE);
  const config = readConfig(process.env);
  if (config.databaseUrl)
    throw new Error(
      'DATABASE_URL is set, so the portal already uses a server. Run the command with the settings of the portal on the embedded database.',
    );
  // Before the target is opened: its settings must be valid with a server.
  const targetConfig = readConfig({
    ...process.env,
    DATABASE_URL: to,
    PUBLIC_URL: config.publicUrl,
    SECRETS_KEY: formatSecretsKey(config),
  });
  const source = await openExistingDatabase(config, say);
  // A copy of a whole database takes longer than the deadlines of a request.
  const target = connectServer(to, { connections: 1, connectTimeoutMs: 60_000, statementTimeoutMs: 0 });
  try {
    await assertCurrentSchema(source.database);
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
    const { counts, findings } = await moveDatabase(source.database, target, installQueue, (db) =>
      findMissingOriginals(db, config.dataDir),
    );
    say(`Copied ${counts.schools} schools, ${counts.pupils} pupils, ${counts.sessions} reading sessions:`);
    for (const { rule, breaches } of findings)
      say(breaches.length === 0 ? `  ✓ ${rule}` : `  ✗ ${rule}, except ${breaches.join(', ')}`);
    if (findings.some(({ breaches }) => breaches.length > 0))
      throw new Error('The copy is complete, but its content breaks the rules marked above.');
    const key = config.secretsKeys.length > 0 ? '' : ` and SECRETS_KEY to the content of ${config.dataDir}/secrets.key`;
    say(`Start the portal with DATABASE_URL set to the target${key}.`);
  } finally {
    await target.close();
    await source.database.close();
    await source.release();
  }
}

run().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
