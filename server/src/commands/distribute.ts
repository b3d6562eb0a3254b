// npm run distribute: distributes the school tables over a cluster, by school. See USAGE below.
import { parseArgs } from 'node:util';
import type { QueryExecutorProvider } from 'kysely';
import { readConfig } from '../config.ts';
import { findFaultsOnWorkers, readCluster, runPlan } from '../database/cluster/cluster.queries.ts';
import {
  findDistributionFaults,
  findObstacles,
  planDistribution,
  planTruncation,
} from '../database/cluster/distribution.ts';
import { connectServer, type Database, prepareDatabase } from '../database/database.ts';

const USAGE = `Usage: npm run distribute -- --check | --apply [--shards N]
  --check      reports whether the tables are, or can be, distributed over the cluster in DATABASE_URL
  --apply      distributes the remaining tables, all or none; checks the result; then deletes the rows that are left on
               the coordinator
  --shards N   shards of each table: 32 by default, 128 for a national service. Choose before the first --apply,
               because a later change moves every row

docs/running.md, "Past one machine", explains what a superuser must do first.`;

const MAX_SHARDS = 1024;

const printLine = (line: string) => process.stdout.write(`${line}\n`);

/** Throws with the faults and a sentence that says what has changed. */
const assertNoFaults = (faults: readonly string[], changed: string): void => {
  if (faults.length > 0) throw new Error([...faults, changed].join('\n'));
};

const inTransaction = <T>({ kysely }: Database, work: (tx: QueryExecutorProvider) => Promise<T>): Promise<T> =>
  kysely.transaction().execute(work);

/** Distributes the remaining tables in one transaction, or prints how. Returns whether all tables are distributed. */
async function distributeTables(
  tx: QueryExecutorProvider,
  isApplied: boolean,
  shards: number | undefined,
): Promise<boolean> {
  const before = await readCluster(tx);
  assertNoFaults(findObstacles(before), 'Nothing was changed.');
  printLine(
    `Citus ${before.extension}, ${before.nodes.length} workers: ${before.nodes.map(({ name }) => name).join(', ')}`,
  );
  const statements = planDistribution(before, shards);
  if (statements.length === 0) {
    printLine('All tables are already distributed.');
    return true;
  }
  if (!isApplied) {
    printLine('--apply will run:');
    for (const statement of statements) printLine(`  ${statement}`);
    return false;
  }
  await runPlan(tx, statements);
  printLine(`${statements.length} statements were run.`);
  return true;
}

/** Deletes what is left on the coordinator, in a transaction of its own. Returns the number of tables. */
const truncateLocalRows = (database: Database): Promise<number> =>
  inTransaction(database, async (tx) => {
    const state = await readCluster(tx);
    await runPlan(tx, planTruncation(state));
    return Object.values(state.localBytes).filter((bytes) => bytes > 0).length;
  });

async function distribute(database: Database, isApplied: boolean, shards: number | undefined): Promise<void> {
  if (!(await inTransaction(database, (tx) => distributeTables(tx, isApplied, shards)))) return;
  // After the commit, because the check uses connections of its own to the workers.
  const faults = await inTransaction(database, (tx) => findFaultsOnWorkers(tx));
  assertNoFaults(faults, 'The tables are distributed. Keep the portal stopped until this is corrected.');
  if (isApplied) {
    const tables = await truncateLocalRows(database);
    if (tables > 0) printLine(`The rows of ${tables} tables were deleted from the coordinator.`);
  }
  const left = findDistributionFaults(await inTransaction(database, readCluster), shards);
  assertNoFaults(left, 'The tables are distributed, but not as they should be.');
  printLine('One colocation group; every shard is protected; no rows are visible without a school.');
}

function readOptions(): { isApplied: boolean; shards: number | undefined } {
  try {
    const { check, apply, shards } = parseArgs({
      options: { check: { type: 'boolean' }, apply: { type: 'boolean' }, shards: { type: 'string' } },
    }).values;
    const count = shards === undefined ? undefined : Number(shards);
    const isCount = count === undefined || (Number.isInteger(count) && count > 0 && count <= MAX_SHARDS);
    if (Boolean(check) !== Boolean(apply) && isCount) return { isApplied: Boolean(apply), shards: count };
  } catch {
    // An unknown option.
  }
  throw new Error(USAGE);
}

async function run(): Promise<void> {
  const { isApplied, shards } = readOptions();
  const { databaseUrl } = readConfig(process.env);
  if (!databaseUrl) throw new Error('Set DATABASE_URL to the coordinator of the cluster.');
  const patient = connectServer(databaseUrl, { connections: 3, connectTimeoutMs: 60_000, statementTimeoutMs: 0 });
  try {
    await prepareDatabase(patient, () => distribute(patient, isApplied, shards));
  } finally {
    await patient.close();
  }
}

run().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
