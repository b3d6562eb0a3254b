import { type Kysely, sql } from 'kysely';
import type { KeyConfig } from '../auth/secrets-key.ts';
import { verifyAuditLog } from '../audit/audit-chain.queries.ts';
import { withLockIfFree } from '../database/advisory-locks.ts';
import type { Database } from '../database/database.ts';
import { hasClusterExtension } from '../database/cluster/cluster.queries.ts';
import { readInPlatform } from '../database/platform.ts';
import type { Tables } from '../database/tables.ts';
import type { BackupOptions } from './backup-file.ts';
import { checkInvariants, countEverything, countRows, type Finding } from '../database/invariants.queries.ts';
import {
  atDatabase,
  createMarked,
  dropDatabase,
  findCreateDatabaseProblem,
  findDatabase,
  type FoundDatabase,
  scratchNameOf,
} from './named-databases.ts';
import { type PostgresReceiver, receiveDump } from './postgres-tools.ts';
import { requireServer } from '../database/embedded.ts';
import { withPatientConnection } from './restore.ts';

/*
 * Restores a backup, while it is made, to a scratch database beside the live one, and checks what arrived.
 * docs/decisions/restored-databases.md
 */

/** Also recognises a scratch database whose process was killed before it had its mark. */
const SCRATCH_CONNECTIONS = 11;

const isOurs = ({ mark, isOwn, hasComment, connectionLimit }: FoundDatabase): boolean =>
  mark === 'scratch' || (isOwn && !hasComment && connectionLimit === SCRATCH_CONNECTIONS);

/** Drops the scratch database, unless it was made by someone else. Throws then, with a text for the operator. */
async function dropScratch(db: Kysely<Tables>, name: string): Promise<void> {
  const found = await findDatabase(db, name);
  if (!found) return;
  if (!isOurs(found))
    throw new Error(
      `The database ${name} was not made by the portal, which needs this name to test its backups. Rename it or drop it.`,
    );
  await dropDatabase(db, name);
}

/**
 * Drops the scratch database that a killed process left, unless another process is using it. Leaves a database of this
 * name that was made by someone else.
 */
export async function dropLeftScratch(database: Database): Promise<void> {
  const { directUrl } = requireServer(database);
  await withPatientConnection(directUrl, ({ kysely }) =>
    withLockIfFree(kysely, 'restoreTest', async () => {
      const name = scratchNameOf(directUrl);
      const found = await findDatabase(kysely, name);
      if (found && isOurs(found)) await dropDatabase(kysely, name);
    }),
  );
}

/** The number of rows of each table that a backup contains, in the order of their names. */
async function countBackedUpRows(db: Kysely<Tables>): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
      and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
    order by 1`.execute(db);
  return countRows(
    db,
    rows.map(({ name }) => name),
  );
}

const compareCounts = (live: Map<string, number>, restored: Map<string, number>): Finding => ({
  rule: 'each table has as many rows as in the live database',
  breaches: [...new Set([...live.keys(), ...restored.keys()])]
    .filter((table) => live.get(table) !== restored.get(table))
    .map((table) => `${table} ${live.get(table) ?? 'missing'}, restored ${restored.get(table) ?? 'missing'}`),
});

/** PostgreSQL quotes rows in its errors, and this one is logged: only what names no one is passed on. */
function describeFailure(error: unknown): Error {
  const text = (error as Error).message;
  const [reason] =
    /COPY failed for table "\w+"|could not read from input file[^\n]*|No space left on device/.exec(text) ?? [];
  return new Error(
    `The backup could not be restored${reason ? ` (${reason})` : ''}. Restore it by hand to see why: npm run restore -- FILE --into NAME`,
  );
}

/** More would not be read. */
const MAX_DESCRIBED = 1000;

function assertRules(findings: readonly Finding[]): void {
  const broken = findings.filter(({ breaches }) => breaches.length > 0);
  if (broken.length === 0) return;
  const texts = broken.map(({ rule, breaches }) => `${rule}, except ${breaches.join(', ')}`);
  throw new Error(
    `The backup was restored completely, but its content breaks rules: ${texts.join('; ').slice(0, MAX_DESCRIBED)}`,
  );
}

type RestoredCounts = Awaited<ReturnType<typeof countEverything>> & { tables: number; rows: number };

/** Makes a backup that is also written to a stream, as of an exported snapshot. */
type MakeBackup = (options: Required<Pick<BackupOptions, 'copyTo' | 'snapshot'>>) => Promise<unknown>;

/** Backs up, restores the same stream, and counts the rows of the live database, all as of one snapshot. */
async function copyWhileBackingUp(
  live: Database,
  receiver: PostgresReceiver,
  makeBackup: MakeBackup,
): Promise<Map<string, number>> {
  const copied = receiver.ended.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const counts = await live.kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(tx);
      const [, counted] = await Promise.all([
        makeBackup({ copyTo: receiver.input, snapshot: rows[0]!.snapshot }),
        countBackedUpRows(tx),
      ]);
      return counted;
    });
  const failed = await copied;
  if (failed) throw describeFailure(failed.error);
  return counts;
}

async function checkScratch(
  scratch: Database,
  live: Map<string, number>,
  config: KeyConfig,
  now: Date,
): Promise<RestoredCounts> {
  await sql`analyze`.execute(scratch.kysely);
  const restored = await countBackedUpRows(scratch.kysely);
  const { findings, ...counts } = await readInPlatform(scratch, async (db) => ({
    ...(await countEverything(db)),
    findings: [...(await checkInvariants(db)), await verifyAuditLog(db, now, config)],
  }));
  assertRules([compareCounts(live, restored), ...findings]);
  return { ...counts, tables: restored.size, rows: [...restored.values()].reduce((sum, n) => sum + n, 0) };
}

/**
 * Makes a backup and restores it at the same time to the scratch database, which it drops at the end. Throws, with a text
 * for the operator, unless the restored database is complete and follows all rules.
 * @param signal ends the restore; the scratch database is then dropped at the next start
 */
export async function testRestore(
  database: Database,
  config: KeyConfig,
  now: Date,
  makeBackup: MakeBackup,
  signal?: AbortSignal,
): Promise<RestoredCounts> {
  if (await hasClusterExtension(database.kysely))
    throw new Error('A cluster cannot be restored to one database. Set RESTORE_TEST=off.');
  const liveUrl = requireServer(database).directUrl;
  return withPatientConnection(liveUrl, async (live) => {
    const problem = await findCreateDatabaseProblem(live.kysely);
    if (problem) throw new Error(problem);
    const counts = await withLockIfFree(live.kysely, 'restoreTest', async () => {
      const name = scratchNameOf(liveUrl);
      await dropScratch(live.kysely, name);
      try {
        await createMarked(live.kysely, name, 'scratch', SCRATCH_CONNECTIONS);
        const url = atDatabase(liveUrl, name);
        const receiver = receiveDump(url, signal);
        const found = await copyWhileBackingUp(live, receiver, makeBackup).finally(() => receiver.stop());
        return await withPatientConnection(url, (scratch) => checkScratch(scratch, found, config, now));
      } finally {
        await dropScratch(live.kysely, name);
      }
    });
    if (!counts) throw new Error('Another process is testing a restore.');
    return counts;
  });
}
