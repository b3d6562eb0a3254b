// npm run distribute -- --check | --apply: spreads the school tables over a cluster, by school.
import type { Kysely } from 'kysely';
import { readConfig } from './config.ts';
import { carryOutPlan, findFaultsOnWorkers, readCluster } from './database/cluster/cluster.queries.ts';
import { findRefusals, findSpreadFaults, planDistribution } from './database/cluster/distribution.ts';
import { connectServer, type Database, prepareDatabase } from './database/database.ts';

const USAGE = `Usage:
  npm run distribute -- --check   says whether the tables can be spread over the cluster of DATABASE_URL, and how they lie
  npm run distribute -- --apply   spreads what is not spread yet, and checks it; all of it or nothing

docs/running.md, "Past one machine", has what a superuser does before.`;

const say = (line: string) => process.stdout.write(`${line}\n`);
const refuse = (faults: readonly string[]): void => {
  if (faults.length > 0) throw new Error([...faults, 'Nothing was changed.'].join('\n'));
};

async function distribute(database: Database, isApplied: boolean): Promise<void> {
  await database.kysely.transaction().execute(async (transaction) => {
    const tx = transaction as unknown as Kysely<never>;
    const before = await readCluster(tx);
    refuse(findRefusals(before));
    say(
      `Citus ${before.extension}, ${before.nodes.length} workers: ${before.nodes.map(({ name }) => name).join(', ')}`,
    );
    const statements = planDistribution(before);
    if (!isApplied && statements.length > 0) {
      say('To be done by --apply:');
      for (const statement of statements) say(`  ${statement}`);
      return;
    }
    await carryOutPlan(tx, statements);
    const faults = [...findSpreadFaults(await readCluster(tx)), ...(await findFaultsOnWorkers(tx))];
    refuse(faults);
    say(
      statements.length === 0 ? 'All tables are spread already.' : `${statements.length} statements were carried out.`,
    );
    say('One colocation group; every shard is protected; without a school no row is seen.');
  });
}

async function run(): Promise<void> {
  const [option, ...rest] = process.argv.slice(2);
  if (rest.length > 0 || (option !== '--check' && option !== '--apply')) throw new Error(USAGE);
  const { databaseUrl } = readConfig(process.env);
  if (!databaseUrl) throw new Error('A cluster is a PostgreSQL server: name its coordinator in DATABASE_URL.');
  const patient = connectServer(databaseUrl, () => undefined, 3, 60_000, 0);
  try {
    await prepareDatabase(patient, () => distribute(patient, option === '--apply'));
  } finally {
    await patient.close();
  }
}

run().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
