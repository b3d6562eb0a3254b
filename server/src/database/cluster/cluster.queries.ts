import { type QueryExecutorProvider, sql } from 'kysely';
import { AUDIT_ROLE } from '../audit-functions.ts';
import { PLATFORM_ROLE, SCHOOL_ROLE } from '../row-level-security.ts';
import { CATALOGUE_TABLES, SCHOOL_TABLES } from '../table-kinds.ts';

/** The state of a cluster before or after the tables are distributed. */
export interface ClusterState {
  /** The version of the extension; null when it is not installed. */
  extension: string | null;
  nodes: { name: string; isActive: boolean; nodeNumber: number }[];
  /** The roles that each worker lacks; null for a worker that did not answer. */
  missingRoles: Record<string, string[] | null>;
  /** Tables of the portal that are distributed already: `reference`, or the number of their colocation group. */
  spread: Record<string, 'reference' | number>;
  /** The number of shards of each school table; null before they are distributed. */
  shards: number | null;
  /** Bytes of rows that distributed tables still have on the coordinator, where no statement sees or erases them. */
  localBytes: Record<string, number>;
  /** Foreign keys from school tables to the catalogue: dropped while the tables are distributed, then added again. */
  catalogueKeys: { table: string; name: string; definition: string }[];
}

/** Returns whether the extension that distributes tables is installed. */
export async function hasClusterExtension(db: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db);
  return rows.length > 0;
}

const nameOf = ({ nodename, nodeport }: { nodename: string; nodeport: number }) => `${nodename}:${nodeport}`;

async function findMissingRoles(db: QueryExecutorProvider): Promise<ClusterState['missingRoles']> {
  const { rows: account } = await sql<{ name: string }>`select current_user::text as name`.execute(db);
  const needed = [SCHOOL_ROLE, PLATFORM_ROLE, AUDIT_ROLE, account[0]?.name ?? ''];
  const quoted = needed.map((role) => `'${role.replaceAll("'", "''")}'`).join(', ');
  const question = `select coalesce(string_agg(rolname, ','), '') from pg_roles where rolname in (${quoted})`;
  const { rows } = await sql<{ nodename: string; nodeport: number; success: boolean; result: string }>`
    select nodename, nodeport, success, result from run_command_on_workers(${question})`.execute(db);
  return Object.fromEntries(
    rows.map((row) => {
      const present = row.result.split(',');
      return [nameOf(row), row.success ? needed.filter((role) => !present.includes(role)) : null];
    }),
  );
}

/** Runs a plan in the caller's transaction. */
export async function runPlan(db: QueryExecutorProvider, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Reads the state of a database's cluster. */
export async function readCluster(db: QueryExecutorProvider): Promise<ClusterState> {
  const { rows: extensions } = await sql<{ version: string }>`
    select extversion as version from pg_extension where extname = 'citus'`.execute(db);
  const { rows: catalogueKeys } = await sql<ClusterState['catalogueKeys'][number]>`
    select k.conrelid::regclass::text as table, k.conname::text as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k where k.contype = 'f'
      and k.conrelid::regclass::text = any(${[...SCHOOL_TABLES]}) and k.confrelid::regclass::text = any(${[...CATALOGUE_TABLES]})
    order by 1, 2`.execute(db);
  const extension = extensions[0]?.version ?? null;
  if (extension === null)
    return { extension, nodes: [], missingRoles: {}, spread: {}, shards: null, localBytes: {}, catalogueKeys };
  const { rows: nodes } = await sql<{ nodename: string; nodeport: number; isactive: boolean; groupid: number }>`
    select nodename, nodeport, isactive, groupid from pg_dist_node where noderole = 'primary' and groupid > 0
    order by groupid`.execute(db);
  const { rows: tables } = await sql<{
    name: string;
    kind: string;
    colocation: number;
    shards: number;
    localBytes: number;
  }>`
    select table_name::text as name, citus_table_type as kind, colocation_id as colocation, shard_count as shards,
      pg_relation_size(table_name) as "localBytes"
    from citus_tables where citus_table_type in ('reference', 'distributed')`.execute(db);
  return {
    extension,
    nodes: nodes.map((node) => ({ name: nameOf(node), isActive: node.isactive, nodeNumber: node.groupid })),
    missingRoles: await findMissingRoles(db),
    spread: Object.fromEntries(
      tables.map(({ name, kind, colocation }) => [name, kind === 'reference' ? kind : colocation]),
    ),
    shards: tables.find(({ name }) => name === 'schools')?.shards ?? null,
    localBytes: Object.fromEntries(tables.map(({ name, localBytes }) => [name, localBytes])),
    catalogueKeys,
  };
}

/** What is wrong on the machines once the tables are distributed; empty unless a school could see another. */
export async function findFaultsOnWorkers(db: QueryExecutorProvider): Promise<string[]> {
  const faults: string[] = [];
  for (const table of SCHOOL_TABLES) {
    const { rows } = await sql<{ nodename: string; shardid: number }>`
      select nodename, shardid from run_command_on_placements(${table}::regclass,
        $$select relrowsecurity and not relforcerowsecurity from pg_class where oid = '%s'::regclass$$)
      where not success or result <> 't'`.execute(db);
    for (const { nodename, shardid } of rows)
      faults.push(
        `${table}: shard ${shardid} on ${nodename} does not have row-level security, or forces it on its owner`,
      );
  }
  await sql.raw("set local citus.propagate_set_commands = 'local'").execute(db);
  await sql.raw(`set local role ${SCHOOL_ROLE}`).execute(db);
  for (const table of SCHOOL_TABLES) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    if (rows[0]?.n !== 0) faults.push(`${table}: ${SCHOOL_ROLE} sees rows although no school is set`);
  }
  await sql.raw('set local role none').execute(db);
  return faults;
}
