// npm run backup -- FILE, npm run restore -- FILE: all that the portal's database holds, and back again.
import { dirname } from 'node:path';
import { systemClock } from './clock.ts';
import { type Config, readConfig } from './config.ts';
import { backUp } from './database/backup/backup.ts';
import type { Manifest } from './database/backup/backup-file.ts';
import { fetchBackup } from './database/backup/backup-socket.ts';
import { restore } from './database/backup/restore.ts';
import {
  backUpOriginals,
  findMissingOriginals,
  restoreOriginals,
} from './features/book-content/book-content.public.ts';
import { openDatabase } from './database/open-database.ts';

const USAGE = `Usage:
  npm run backup -- FILE    writes a backup of the database that DATABASE_URL names, or of the embedded one in DATA_DIR,
                            while the portal runs or while it is stopped; publishers' covers and previews are
                            copied to the folder "originals" beside it
  npm run restore -- FILE   restores it into an empty database, checks it and says what it found`;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function makeBackup(config: Config, file: string): Promise<Manifest> {
  const fetched = config.databaseUrl ? undefined : await fetchBackup(config.dataDir, file);
  if (fetched) return fetched;
  const { database, release } = await openDatabase(
    config,
    () => undefined,
    () => say('Another process has the data folder; waiting for its end …'),
  );
  try {
    return await backUp(database, file, systemClock.now());
  } finally {
    await database.close();
    await release();
  }
}

async function showRestored(config: Config, file: string): Promise<void> {
  await restoreOriginals(dirname(file), config.dataDir);
  const { manifest, counts, findings } = await restore(config, file, [
    (db) => findMissingOriginals(db, config.dataDir),
  ]);
  say(`Restored the backup of ${manifest.created_at}, made with the schema ${manifest.schema}:`);
  say(`  ${counts.schools} schools, ${counts.pupils} pupils, ${counts.sessions} reading sessions`);
  for (const { rule, breaches } of findings)
    say(breaches.length === 0 ? `  ✓ ${rule}` : `  ✗ ${rule}: not so for ${breaches.join(', ')}`);
  if (findings.some(({ breaches }) => breaches.length > 0))
    throw new Error('The backup is whole, but what it holds is not as it must be: see the lines above.');
}

async function run(): Promise<void> {
  const [command, file] = process.argv.slice(2);
  if (!file || (command !== 'backup' && command !== 'restore')) throw new Error(USAGE);
  const config = readConfig(process.env);
  if (command === 'restore') return showRestored(config, file);
  const { bytes, schema, sha256 } = await makeBackup(config, file);
  await backUpOriginals(config.dataDir, dirname(file));
  say(`${file}: ${(bytes / 1e6).toFixed(1)} MB, schema ${schema}, sha256 ${sha256}`);
}

run().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
