import { AUDIT_TABLES } from '../audit-functions.ts';
import { ONE_SHARD_AT_A_TIME } from '../statements.ts';
import { CATALOGUE_TABLES, SCHOOL_TABLES } from '../table-kinds.ts';
import type { ClusterState } from './cluster.queries.ts';

/**
 * IDs assigned by a worker start at its number times 2^48; above this number they exceed JavaScript's safe integers.
 */
const MAX_NODE_NUMBER = 31;

/** The reasons why the tables cannot be distributed over this cluster; empty when they can. */
export function findObstacles({ extension, nodes, missingRoles }: ClusterState): string[] {
  if (extension === null)
    return [
      'The extension citus is not in this database. A superuser makes it on every machine: create extension citus',
    ];
  if (nodes.length === 0)
    return ["The cluster has no worker. A superuser adds each: select citus_add_node('HOST', 5432)"];
  return nodes.flatMap(({ name, isActive, nodeNumber }) => {
    const roles = missingRoles[name];
    if (!isActive) return [`The worker ${name} is not active: select citus_activate_node('HOST', PORT)`];
    if (!roles) return [`The worker ${name} does not answer.`];
    if (nodeNumber > MAX_NODE_NUMBER)
      return [
        `The worker ${name} has the number ${nodeNumber}; ids made there would be too large above ${MAX_NODE_NUMBER}.`,
      ];
    return roles.map(
      (role) => `The worker ${name} lacks the role ${role}. A superuser makes it there: create role ${role} login`,
    );
  });
}

/**
 * The statements, for one transaction, that distribute the remaining tables; empty when all are distributed.
 * @param shards the number of shards of each school table; undefined for the cluster's default
 */
export function planDistribution({ spread, catalogueKeys }: ClusterState, shards?: number): string[] {
  const reference = CATALOGUE_TABLES.filter((table) => !(table in spread));
  const distributed = SCHOOL_TABLES.filter((table) => !(table in spread));
  if (reference.length + distributed.length === 0) return [];
  // Foreign keys between distributed tables and others would prevent any order.
  const keys = catalogueKeys.filter(({ table }) => !(table in spread));
  return [
    ONE_SHARD_AT_A_TIME,
    ...(shards !== undefined && !('schools' in spread) ? [`set local citus.shard_count = ${shards}`] : []),
    ...keys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
    ...reference.map((table) => `select create_reference_table('${table}')`),
    ...distributed.map((table) =>
      table === 'schools'
        ? "select create_distributed_table('schools', 'id')"
        : `select create_distributed_table('${table}', 'school_id', colocate_with => 'schools')`,
    ),
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  ];
}

/**
 * The statements that delete what distributed tables still have on the coordinator. They run after the distribution is
 * committed and checked, because they delete the only other copy. Each cascades to tables that reference it.
 */
export function planTruncation({ localBytes }: ClusterState): string[] {
  const statements = Object.entries(localBytes)
    .filter(([, bytes]) => bytes > 0)
    .map(([table]) => `select truncate_local_data_after_distributing_table('${table}')`);
  if (statements.length === 0) return [];
  // The account that owns the audit log may not truncate it otherwise.
  const audit = AUDIT_TABLES.join(', ');
  return [`grant truncate on ${audit} to current_user`, ...statements, `revoke truncate on ${audit} from current_user`];
}

/** What is wrong in a cluster with distributed tables. */
export function findDistributionFaults({ spread, shards, localBytes }: ClusterState, wantedShards?: number): string[] {
  const colocation = spread.schools;
  return [
    ...(wantedShards !== undefined && shards !== null && shards !== wantedShards
      ? [`The school tables have ${shards} shards, not ${wantedShards}. The number cannot be changed by this command.`]
      : []),
    ...Object.entries(localBytes)
      .filter(([, bytes]) => bytes > 0)
      .map(([table, bytes]) => `${table} still has ${bytes} bytes of rows on the coordinator`),
    ...CATALOGUE_TABLES.filter((table) => spread[table] !== 'reference').map(
      (table) => `${table} is not on every machine`,
    ),
    ...SCHOOL_TABLES.filter((table) => typeof spread[table] !== 'number' || spread[table] !== colocation).map(
      (table) => `${table} is not colocated with schools`,
    ),
  ];
}
