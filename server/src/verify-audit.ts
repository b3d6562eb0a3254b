// npm run verify-audit: checks that no one changed the audit logs outside the portal. See USAGE below.
import { verifyAuditLog } from './audit/audit-chain.queries.ts';
import { fingerprintsOf } from './auth/secrets-key.ts';
import { systemClock } from './clock.ts';
import { readConfig } from './config.ts';
import { runCheck } from './database/backup/after-restore.ts';
import { openExistingDatabase } from './database/open-database.ts';
import { readKeyProblem } from './database/secret-keys.ts';

const USAGE = `Usage: npm run verify-audit
  Checks the audit log of every school against its signed chain, and exits with 1 if an entry was changed, deleted or
  added outside the portal. Needs the SECRETS_KEY with which the portal runs.`;

async function run(): Promise<void> {
  if (process.argv.length > 2) throw new Error(USAGE);
  const config = readConfig(process.env);
  const { database, release } = await openExistingDatabase(config, (line) => process.stderr.write(`${line}\n`));
  try {
    const problem = await readKeyProblem(database, fingerprintsOf(config));
    if (problem) throw new Error(`SECRETS_KEY ${problem}.`);
    const { rule, breaches } = await runCheck(database, (db) => verifyAuditLog(db, systemClock.now(), config));
    if (breaches.length > 0) throw new Error([`✗ ${rule}, except`, ...breaches].join('\n  '));
    process.stdout.write(`✓ ${rule}\n`);
  } finally {
    await database.close();
    await release();
  }
}

run().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
