// npm run backup -- FILE backs up the portal's database, and npm run restore -- FILE restores it.
import { dirname } from 'node:path';
import { noteRestart } from './audit/audit-chain.jobs.ts';
import { verifyAuditLog } from './audit/audit-chain.queries.ts';
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
import { reapplyErasures } from './features/archive/archive.public.ts';
import { readErasureList } from './features/privacy/privacy.public.ts';
import { openExistingDatabase } from './database/open-database.ts';

const USAGE = `Usage:
  npm run backup -- FILE    backs up the database in DATABASE_URL, or the embedded one in DATA_DIR, while the portal
                            is running or stopped; publishers' covers and previews are copied to the folder
                            "originals" next to it
  npm run restore -- FILE   restores it to an empty database, checks it and prints the result`;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function makeBackup(config: Config, file: string): Promise<Manifest> {
  const fetched = config.databaseUrl ? undefined : await fetchBackup(config.dataDir, file);
  if (fetched) return fetched;
  const { database, release } = await openExistingDatabase(config, say);
  try {
    return await backUp(database, file, systemClock.now());
  } finally {
    await database.close();
    await release();
  }
}

async function showRestored(config: Config, file: string): Promise<void> {
  await restoreOriginals(dirname(file), config.dataDir);
  const { databaseDirectUrl, dataDir } = config;
  const target = { databaseUrl: databaseDirectUrl ?? config.databaseUrl, dataDir };
  const folders = new Set([dirname(file), ...(config.backupDir ? [config.backupDir] : [])]);
  const listed = (await Promise.all([...folders].map(readErasureList))).flat();
  const { manifest, counts, findings, erasedAgain } = await restore(target, file, {
    checks: [
      (db) => findMissingOriginals(db, dataDir),
      // Without the signature: the key is kept elsewhere.
      (db) => verifyAuditLog(db, systemClock.now()),
    ],
    reapplyErasures: async (database) => {
      const erased = await reapplyErasures(database, config, listed, systemClock.now());
      if (config.backupDir) await noteRestart(database, config.backupDir, systemClock.now());
      return erased;
    },
  });
  say(`Restored the backup of ${manifest.created_at}, made with the schema ${manifest.schema}:`);
  say(`  ${counts.schools} schools, ${counts.pupils} pupils, ${counts.sessions} reading sessions`);
  say(`  ${erasedAgain} people were erased again, of ${listed.length} in the list of erasures`);
  for (const { rule, breaches } of findings)
    say(breaches.length === 0 ? `  ✓ ${rule}` : `  ✗ ${rule}, except ${breaches.join(', ')}`);
  if (findings.some(({ breaches }) => breaches.length > 0))
    throw new Error('The backup is complete, but its content breaks the rules marked above.');
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
