import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Portal } from '../harness/portal.ts';
import { query, startPostgres } from '../harness/postgres.ts';
import { cleanUpOnSignal, freePort, killAll, makeFolder } from '../harness/program.ts';
import { formatTable, storeFaults } from '../harness/results.ts';
import { countDeadLinks } from './lost-replies.ts';
import { Readers } from './readers.ts';

/*
 * npm run chaos: faults of processes and of the database while pupils' devices send reading sessions. Fails when an
 * acknowledged session is lost, a link in a mail no longer works, or an outage takes a minute. A run of all parts writes RESULTS.md. `--only NAME` runs one
 * part. Other faults have tests of their own: docs/testing.md lists them.
 */
const MAX_OUTAGE_MS = 60_000;
/** Before each fault. */
const MIN_ACKNOWLEDGED = 10;
const DATABASE_STOP_MS = 5000;
const PARTS: Record<string, () => Promise<void>> = {
  server: breakServer,
  embedded: breakEmbedded,
  mail: loseReplies,
};

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const chosen = only?.split(',') ?? Object.keys(PARTS);
if (chosen.some((name) => !(name in PARTS))) throw new Error(`--only takes ${Object.keys(PARTS).join(', ')}.`);

const rows = [['Fault', 'Acknowledged', 'Failed', 'Lost', 'Longest outage']];
let hasPassed = true;

function addOutage(fault: string, milliseconds: number, acknowledged = '', failed = ''): void {
  rows.push([fault, acknowledged, failed, '', `${Math.round(milliseconds)} ms`]);
  hasPassed &&= milliseconds < MAX_OUTAGE_MS;
}

/** Injects a fault several times under load. The outage ends with the next acknowledged session. */
async function injectFault(fault: string, readers: Readers, repetitions: number, inject: () => Promise<unknown>) {
  console.error(`${fault} …`);
  const [acknowledged, failures] = [readers.acknowledged.size, readers.failures];
  const outages: number[] = [];
  for (let n = 0; n < repetitions; n += 1) {
    await readers.waitForSuccess(MIN_ACKNOWLEDGED);
    const start = performance.now();
    await inject();
    await readers.waitForSuccess();
    outages.push(performance.now() - start);
  }
  const counts = [readers.acknowledged.size - acknowledged, readers.failures - failures].map(String);
  addOutage(fault, Math.max(...outages), ...counts);
}

/** Ends the load and compares what was acknowledged with what is stored. */
async function addTotal(name: string, readers: Readers): Promise<void> {
  await readers.stop();
  const { size } = readers.acknowledged;
  const lost = size - (await readers.countStored());
  rows.push([name, String(size), String(readers.failures), String(lost), '']);
  hasPassed &&= lost === 0;
}

async function makePortal(settings: Record<string, string>): Promise<Portal> {
  return new Portal(await freePort(), { STAGE: 'local', DEMO: 'on', LOG_LEVEL: 'silent', ...settings });
}

/** Faults of the process and of PostgreSQL. */
async function breakServer(): Promise<void> {
  const folder = makeFolder();
  const port = await freePort();
  let postgres = await startPostgres(join(folder, 'postgres'), port);
  await query(postgres.url(), 'create database portal');
  const settings = { DATABASE_URL: postgres.url('postgres', 'portal'), DATA_DIR: join(folder, 'data') };
  const portals = [await makePortal(settings), await makePortal(settings), await makePortal(settings)];
  const start = performance.now();
  await Promise.all(portals.map((portal) => portal.start()));
  addOutage('three processes started at once on an empty database', performance.now() - start);
  const portal = portals.pop()!;
  for (const other of portals) await other.stop('SIGKILL');

  const readers = new Readers(portal);
  await readers.start();
  await injectFault('portal killed (kill -9) and started again', readers, 3, () => portal.restart());
  await injectFault('connections to the database ended', readers, 3, () =>
    query(postgres.url(), "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'portal'"),
  );
  await injectFault('database stopped for 5 s', readers, 1, async () => {
    await postgres.stop();
    await wait(DATABASE_STOP_MS);
    postgres = await startPostgres(join(folder, 'postgres'), port);
  });
  await addTotal('all of these, sent again', readers);
}

/** Faults of the portal with its embedded database. */
async function breakEmbedded(): Promise<void> {
  const portal = await makePortal({ DATA_DIR: join(makeFolder(), 'data') });
  await portal.start();
  const readers = new Readers(portal);
  await readers.start();
  await injectFault('embedded portal killed and started again', readers, 2, () => portal.restart());
  await addTotal('all of these, sent again', readers);
}

/** A mail server that takes a mail and loses its reply. */
async function loseReplies(): Promise<void> {
  const dead = await countDeadLinks(async (SMTP_URL) => {
    const portal = await makePortal({ DATA_DIR: join(makeFolder(), 'data'), SMTP_URL });
    await portal.start();
    return portal;
  });
  rows.push(['links killed by a second copy of their mail', '', '', String(dead), '']);
  hasPassed &&= dead === 0;
}

cleanUpOnSignal(killAll);
try {
  for (const name of chosen) await PARTS[name]!();
} catch (error) {
  hasPassed = false;
  console.error(error);
} finally {
  await killAll();
}
const table = formatTable(rows);
console.log(table);
if (!only && hasPassed) storeFaults(table);
process.exitCode = hasPassed ? 0 : 1;
