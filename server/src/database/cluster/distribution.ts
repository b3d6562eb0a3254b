import { ONE_SHARD_AT_A_TIME } from '../statements.ts';
import { CATALOGUE_TABLES, SCHOOL_TABLES } from '../table-kinds.ts';
import type { ClusterState } from './cluster.queries.ts';

/** Ids that a worker gives begin at its number times 2^48: above this they pass what JavaScript counts exactly. */
const LARGEST_NODE_NUMBER = 31;

/** Why nothing may be spread over this cluster; empty where it may. */
export function findRefusals({ extension, nodes, missingRoles }: ClusterState): string[] {
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
    if (nodeNumber > LARGEST_NODE_NUMBER)
      return [
        `The worker ${name} has the number ${nodeNumber}; ids made there would be too large above ${LARGEST_NODE_NUMBER}.`,
      ];
    return roles.map(
      (role) => `The worker ${name} lacks the role ${role}. A superuser makes it there: create role ${role} login`,
    );
  });
}

/** The statements, for one transaction, that spread what is not spread yet; none where all is. */
export function planDistribution({ spread, catalogueKeys }: ClusterState): string[] {
  const reference = CATALOGUE_TABLES.filter((table) => !(table in spread));
  const distributed = SCHOOL_TABLES.filter((table) => !(table in spread));
  if (reference.length + distributed.length === 0) return [];
  // Foreign keys between what is spread and what is not yet would stand in the way of either order.
  const keys = catalogueKeys.filter(({ table }) => !(table in spread));
  return [
    ONE_SHARD_AT_A_TIME,
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

/** What is not as it must be in a cluster whose tables are spread. */
export function findSpreadFaults({ spread }: ClusterState): string[] {
  const colocation = spread.schools;
  return [
    ...CATALOGUE_TABLES.filter((table) => spread[table] !== 'reference').map(
      (table) => `${table} is not on every machine`,
    ),
    ...SCHOOL_TABLES.filter((table) => typeof spread[table] !== 'number' || spread[table] !== colocation).map(
      (table) => `${table} does not lie with its schools`,
    ),
  ];
}
