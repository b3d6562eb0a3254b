import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { surviveBadNights } from './backup-nights.ts';
import { killBackup } from './backup-killed.ts';
import { correctClock } from './clock-corrected.ts';
import { attackCovers } from './cover-attack.ts';
import { injectEmbeddedFaults } from './embedded-faults.ts';
import { queueManyInvitations } from './queued-invitations.ts';
import { formatReport, hasPassed, printLine } from './report.ts';
import { storeFaults } from '../harness/results.ts';
import { restoreYesterday } from './restored.ts';
import { ServerEnvironment } from './server-environment.ts';
import { injectServerFaults, stopUnderClients } from './server-faults.ts';

/*
 * npm run chaos: faults of the process, the network, the database, the clock and the disk, and two kinds of overload,
 * while pupils' devices send reading sessions. Prints the effect of each, and fails when an acknowledged session is lost
 * or stored twice, a recovery takes a minute, or a scenario does not end as expected. A run of all of them writes
 * RESULTS.md. Everything runs on this machine. `--only NAME,NAME` runs only these scenarios.
 */
const SERVER_PARTS: Record<string, (environment: ServerEnvironment) => Promise<void>> = {
  server: injectServerFaults,
  backup: killBackup,
  restore: restoreYesterday,
  backups: surviveBadNights,
  clock: correctClock,
  covers: attackCovers,
  invitations: queueManyInvitations,
};
const EMBEDDED = 'embedded';
const NAMES = [...Object.keys(SERVER_PARTS), EMBEDDED];

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const chosen = only?.split(',') ?? NAMES;
if (chosen.some((name) => !NAMES.includes(name))) throw new Error(`--only takes ${NAMES.join(', ')}.`);

async function runServerParts(folder: string, names: readonly string[]): Promise<void> {
  const environment = await ServerEnvironment.open(folder);
  try {
    for (const name of names) await SERVER_PARTS[name]!(environment);
    await environment.addStoredTotal();
    await stopUnderClients(environment);
  } finally {
    await environment.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'portal-chaos-'));
// PostgreSQL does not run as root.
chmodSync(folder, 0o755);
let hasFailed = false;
try {
  const names = Object.keys(SERVER_PARTS).filter((name) => chosen.includes(name));
  if (names.length > 0) await runServerParts(folder, names);
  if (chosen.includes(EMBEDDED)) await injectEmbeddedFaults(folder);
} catch (error) {
  hasFailed = true;
  printLine(String((error as Error).stack));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(formatReport());
if (!only && !hasFailed) storeFaults(formatReport());
process.exitCode = hasPassed() && !hasFailed ? 0 : 1;
