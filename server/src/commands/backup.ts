// npm run backup -- FILE backs up the portal's database, npm run restore -- FILE restores it, and npm run after-restore
// brings a database that was restored in another way to where the portal may serve it.
import { dirname, join } from 'node:path';
import { noteRestart } from '../audit/audit-chain.jobs.ts';
import { verifyAuditLog } from '../audit/audit-chain.queries.ts';
import { fingerprintsOf } from '../auth/secrets-key.ts';
import { systemClock } from '../clock.ts';
import { type Config, readConfig } from '../config.ts';
import { assertNotInUse, finishRestore, type RestoreReport, type RestoreSteps } from '../backups/after-restore.ts';
import { backUp } from '../backups/backup.ts';
import type { Manifest } from '../backups/backup-file.ts';
import { nameBackup } from '../backups/backup-folder.ts';
import {
  assertNotRestored,
  highestOf,
  INCOMPLETE,
  LAST_NUMBERS_FILE,
  readLastNumbers,
} from '../backups/last-numbers.ts';
import { readMark } from '../backups/named-databases.ts';
import { restoreInto } from '../backups/restore-into.ts';
import { assertHasTables, connectPatiently, restore } from '../backups/restore.ts';
import type { Database } from '../database/database.ts';
import { NEEDS_SERVER } from '../database/embedded.ts';
import { describeDatabase, openExistingDatabase } from '../database/open-database.ts';
import {
  backUpOriginals,
  findMissingOriginals,
  restoreOriginals,
} from '../features/books/book-content/book-content.public.ts';
import { readErasureList, reapplyErasures } from '../features/privacy/erasure/erasure.public.ts';
import { checkKeys } from '../database/secret-keys.ts';
import { openQueue } from '../jobs/queue.ts';
import { discardRestoredMails, sendRestoredMails } from '../mail/mail.ts';

const USAGE = `Usage:
  npm run backup            backs up the database in DATABASE_URL, while the portal is running or stopped, to a new file
                            in BACKUP_DIR; publishers' covers and previews are copied to the folder "originals" next to it
  npm run backup -- FILE    backs up to this file. With BACKUP_RECIPIENTS it is encrypted and its name ends with .age
  npm run restore -- FILE   restores it to an empty database, then does what after-restore does
  npm run restore -- FILE --into NAME
                            restores it to the database NAME beside the one in DATABASE_URL, which stays as it is. NAME
                            is created, or must be empty. No jobs run on the copy and no emails are sent from it, until
                            it is made the live database: docs/restoring.md
  npm run after-restore     after the database was restored in another way, to a point in time or on a cluster: holds
                            unsent emails, erases again who was erased since, continues the invoice numbers, checks
                            everything and prints the result. Reads erasures.txt and last-numbers.json in BACKUP_DIR.
                            Stop the portal first; repeat the command if it was interrupted
  npm run after-restore -- --send-mails      sends the emails that are held
  npm run after-restore -- --discard-mails   deletes them instead`;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** The server's own URL, past a pooler. Throws without one: the embedded database has no backups. */
function requireUrl({ databaseDirectUrl, databaseUrl }: Config): string {
  const url = databaseDirectUrl ?? databaseUrl;
  if (!url) throw new Error(`A backup or restore ${NEEDS_SERVER}.`);
  return url;
}

async function makeBackup(config: Config, file: string): Promise<Manifest> {
  const { database, release } = await openExistingDatabase(config, say);
  try {
    return await backUp(database, file, systemClock.now(), { recipients: config.backupRecipients });
  } finally {
    await database.close();
    await release();
  }
}

/** The steps after a restore, with the lists of these folders, and how many erasures these list. */
async function readSteps(
  config: Config,
  folders: readonly string[],
  isCopy = false,
): Promise<RestoreSteps & { listed: number }> {
  const listed = (await Promise.all(folders.map(readErasureList))).flat();
  const records = (await Promise.all(folders.map(readLastNumbers))).filter((numbers) => numbers !== undefined);
  return {
    listed: listed.length,
    lastNumbers: records.length > 0 ? records.reduce(highestOf) : undefined,
    checks: [
      (db) => findMissingOriginals(db, config.dataDir),
      (db) => checkKeys(db, fingerprintsOf(config)),
      // Without the signature: the key is kept elsewhere.
      (db) => verifyAuditLog(db, systemClock.now()),
    ],
    reapplyErasures: async (database) => {
      const erased = await reapplyErasures(database, config, listed, systemClock.now());
      // The folder belongs to the live portal, whose chains go on.
      if (config.backupDir && !isCopy) await noteRestart(database, config.backupDir, systemClock.now());
      return erased;
    },
  };
}

const PREFIXES = { invoice: 'INV-', credit_note: 'CN-' };

/** What the operator has to look for outside the portal. */
function* describePayments(
  { missingNumbers, openInvoices }: RestoreReport,
  hasStripe: boolean,
  since: string,
): Generator<string> {
  for (const { kind, first, last } of missingNumbers) {
    const format = (number: number) => PREFIXES[kind] + String(number).padStart(6, '0');
    const numbers = first === last ? format(first) : `${format(first)} to ${format(last)}`;
    yield `${numbers}: issued before a restore and no longer in the portal. Keep the copies that were sent`;
  }
  if (openInvoices.count > 0) {
    const others = openInvoices.count - openInvoices.numbers.length;
    const more = others > 0 ? ` and ${others} others` : '';
    yield `${openInvoices.numbers.join(', ')}${more}: open. Look in the bank account for payments ${since}`;
  }
  yield `Payments that schools reported ${since} are missing: look in the emails to the accounts team`;
  if (hasStripe)
    yield `Card payments ${since} are missing: in Stripe, resend the events checkout.session.completed and checkout.session.async_payment_succeeded to the portal once it runs`;
}

function showReport(
  report: RestoreReport & { manifest?: Manifest },
  { listed, lastNumbers }: Pick<RestoreSteps, 'lastNumbers'> & { listed: number },
  config: Config,
): void {
  const { manifest, counts, findings, erasedAgain, heldMails, lastChange } = report;
  if (manifest) say(`Restored the backup of ${manifest.created_at}, made with the schema ${manifest.schema}:`);
  say(`  ${counts.schools} schools, ${counts.pupils} pupils, ${counts.sessions} reading sessions`);
  say(`  Erased again: ${erasedAgain} of ${listed} in the list of erasures`);
  if (!lastNumbers)
    say(`  No ${LAST_NUMBERS_FILE} was found: check that the next invoice gets a number that was never used`);
  for (const { rule, breaches } of findings)
    say(breaches.length === 0 ? `  ✓ ${rule}` : `  ✗ ${rule}, except ${breaches.join(', ')}`);
  const moment = manifest?.created_at ?? lastChange?.toISOString();
  const since = moment ? `since ${moment}` : 'since the restored moment';
  say('Payments to check by hand:');
  for (const line of describePayments(report, Boolean(config.stripe), since)) say(`  ${line}.`);
  if (heldMails.length > 0) {
    const kinds = heldMails.map(({ kind, count }) => `${count} ${kind.replaceAll('_', ' ')}`);
    say(`Held emails, which may have been sent before: ${kinds.join(', ')}.`);
    say('  Send them with npm run after-restore -- --send-mails, or delete them with --discard-mails.');
  }
  if (findings.some(({ breaches }) => breaches.length > 0))
    throw new Error('The database is complete, but its content breaks the rules marked above.');
}

const listFolders = ({ backupDir }: Config, file: string): string[] => [
  ...new Set([dirname(file), ...(backupDir ? [backupDir] : [])]),
];

async function restoreFile(config: Config, file: string): Promise<void> {
  await restoreOriginals(dirname(file), config.dataDir);
  const steps = await readSteps(config, listFolders(config, file));
  showReport(await restore(requireUrl(config), file, steps), steps, config);
}

/** Restores a file to a database beside the live one. Writes nothing into DATA_DIR and BACKUP_DIR, which the portal uses. */
async function restoreBeside(config: Config, file: string, name: string): Promise<void> {
  const steps = await readSteps(config, listFolders(config, file), true);
  say(`Restoring to the database ${name}, beside ${describeDatabase(config)} …`);
  const report = await restoreInto(requireUrl(config), name, file, steps);
  try {
    showReport(report, steps, config);
  } finally {
    say(
      `The database ${name} is a copy: no jobs run on it and no emails are sent. What to do with it: docs/restoring.md`,
    );
  }
}

async function finish(config: Config, database: Database): Promise<void> {
  await assertNotInUse(database);
  await assertHasTables(database);
  if ((await readMark(database)) === 'incomplete') throw new Error(INCOMPLETE);
  if (config.backupDir) await restoreOriginals(config.backupDir, config.dataDir);
  const steps = await readSteps(config, config.backupDir ? [config.backupDir] : []);
  showReport(await finishRestore(database, steps), steps, config);
}

async function decideOnMails(config: Config, database: Database, decision: string): Promise<void> {
  await assertNotRestored(database, config.backupDir);
  if ((await readMark(database)) === 'copy')
    throw new Error(
      'This database is a copy beside the live portal. Make it the live one first: npm run after-restore',
    );
  if (decision === '--discard-mails') {
    say(`Held emails deleted: ${await discardRestoredMails(database)}.`);
    return;
  }
  // Imported on demand: a backup does not need the whole portal.
  const { listJobs } = await import('../app.ts');
  const jobs = listJobs({ config, database, clock: systemClock }, async () => undefined);
  const queue = await openQueue(database, jobs, (error) => {
    throw error;
  });
  try {
    say(`Held emails that the portal sends once it runs: ${await sendRestoredMails(database, systemClock.now())}.`);
  } finally {
    await queue.stop();
  }
}

async function afterRestore(config: Config, decision: string | undefined): Promise<void> {
  say(`Database: ${describeDatabase(config)}`);
  const database = connectPatiently(requireUrl(config));
  try {
    await (decision ? decideOnMails(config, database, decision) : finish(config, database));
  } finally {
    await database.close();
  }
}

/** The file to write: a new one in `BACKUP_DIR` if none is named. */
function chooseFile({ backupDir, backupRecipients }: Config, named: string | undefined): string {
  const isEncrypted = backupRecipients.length > 0;
  if (named) return isEncrypted && !named.endsWith('.age') ? `${named}.age` : named;
  if (!backupDir) throw new Error('Name a file, or set BACKUP_DIR: npm run backup -- FILE.');
  return join(backupDir, nameBackup(systemClock.now(), { isEncrypted }));
}

async function run(): Promise<void> {
  const [command, word, option, name, ...rest] = process.argv.slice(2);
  const isBeside = command === 'restore' && option === '--into' && name !== undefined;
  if (rest.length > 0 || (option !== undefined && !isBeside)) throw new Error(USAGE);
  const config = readConfig(process.env);
  requireUrl(config);
  if (command === 'after-restore' && [undefined, '--send-mails', '--discard-mails'].includes(word))
    return afterRestore(config, word);
  if (isBeside && word) return restoreBeside(config, word, name);
  if (command === 'restore' && word) return restoreFile(config, word);
  if (command !== 'backup') throw new Error(USAGE);
  const file = chooseFile(config, word);
  const { bytes, schema, sha256 } = await makeBackup(config, file);
  await backUpOriginals(config.dataDir, dirname(file));
  say(`${file}: ${(bytes / 1e6).toFixed(1)} MB, schema ${schema}, sha256 ${sha256}`);
}

run().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
