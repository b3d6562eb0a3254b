// npm run verify-audit: checks that no one changed the audit logs outside the portal. See USAGE below.
import { parseArgs } from 'node:util';
import { readAnchors, readAnchorsIn } from '../audit/audit-anchors.service.ts';
import { beginChainAgain, beginUnsignedChains } from '../audit/audit-chain.jobs.ts';
import { verifyAuditLog } from '../audit/audit-chain.queries.ts';
import { fingerprintsOf } from '../auth/secrets-key.ts';
import { systemClock } from '../clock.ts';
import { type Config, readConfig } from '../config.ts';
import { runCheck } from '../backups/after-restore.ts';
import type { Database } from '../database/database.ts';
import { openExistingDatabase } from '../database/open-database.ts';
import { readKeyProblem } from '../database/secret-keys.ts';

const USAGE = `Usage: npm run verify-audit [-- HEADS | --begin-again SCHOOL | --begin-again unsigned]
  Checks the audit log of every school against its signed chain and against the heads of earlier nights, and exits with
  1 if someone changed it outside the portal. Needs the SECRETS_KEY with which the portal runs.
  HEADS                   a copy of audit-heads.txt from off-site, instead of the one in BACKUP_DIR
  --begin-again SCHOOL    after a breach that you have looked into: begins the chain of this school again with the
                          entries that its log has now, and ends the alarm
  --begin-again unsigned  after a key was lost: the same for every chain that none of the keys signed

docs/decisions/audit-chain.md lists what the check can find.`;

const print = (line: string) => process.stdout.write(`${line}\n`);

function readOptions(): { file: string | undefined; again: number | 'unsigned' | undefined } {
  try {
    const { values, positionals } = parseArgs({
      options: { 'begin-again': { type: 'string' } },
      allowPositionals: true,
    });
    const again = values['begin-again'];
    if (again === undefined && positionals.length <= 1) return { file: positionals[0], again };
    if (positionals.length === 0 && again === 'unsigned') return { file: undefined, again };
    if (positionals.length === 0 && again !== undefined && /^\d{1,15}$/.test(again))
      return { file: undefined, again: Number(again) };
  } catch {
    // An unknown option.
  }
  throw new Error(USAGE);
}

async function readHeads({ backupDir }: Config, file: string | undefined) {
  const anchors = await (file ? readAnchors(file) : backupDir && readAnchorsIn(backupDir));
  if (file && !anchors) throw new Error(`There is no file ${file}.`);
  return anchors || undefined;
}

async function verify(database: Database, config: Config, file: string | undefined): Promise<void> {
  const heads = await readHeads(config, file);
  const { rule, breaches, notices } = await runCheck(database, (db) =>
    verifyAuditLog(db, systemClock.now(), config, heads),
  );
  if (breaches.length === 0) print(`✓ ${rule}`);
  for (const notice of notices) print(`ℹ ${notice}`);
  if (!heads) print('ℹ There are no heads of earlier nights: an older database that was put back would not show.');
  if (breaches.length > 0) throw new Error([`✗ ${rule}, except`, ...breaches].join('\n  '));
}

async function run(): Promise<void> {
  const { file, again } = readOptions();
  const config = readConfig(process.env);
  const { database, release } = await openExistingDatabase(config, (line) => process.stderr.write(`${line}\n`));
  try {
    const problem = await readKeyProblem(database, fingerprintsOf(config));
    if (problem) throw new Error(`SECRETS_KEY ${problem}.`);
    const services = { database, config, clock: systemClock };
    if (again === undefined) return await verify(database, config, file);
    if (again === 'unsigned') {
      print(`Chains that begin again: ${await beginUnsignedChains(services)}. Their entries are sealed tonight.`);
      return;
    }
    await beginChainAgain(services, again);
    print(`The chain of school ${again} begins again. Its entries are sealed tonight.`);
  } finally {
    await database.close();
    await release();
  }
}

run().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
