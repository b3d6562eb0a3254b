import { type QueryExecutorProvider, sql } from 'kysely';
import { hasClusterExtension } from './cluster/cluster.queries.ts';
import { createRoles, protectionStatements } from './row-level-security.ts';
import { describeTable, ONE_SHARD_AT_A_TIME } from './statements.ts';

/** A table whose rows each belong to one school. */
export interface SchoolTable {
  name: string;
  /** A sentence, which the generated types and `psql` show. */
  description?: string;
  /** The columns besides `school_id`, with their checks. A comment line above a column describes it. */
  columns: readonly string[];
  /** The columns that, after `school_id`, identify a row; empty where a school has one row. */
  key: readonly string[];
  /** Unique constraints besides the key, each within its school. */
  unique?: readonly (readonly string[])[];
  /**
   * References to tables of the school: the columns that, after `school_id`, point to `(school_id, id)` of that table.
   */
  references?: readonly { columns: readonly string[]; table: string; to?: readonly string[]; onDelete?: 'cascade' }[];
}

const keyOf = (columns: readonly string[]) => ['school_id', ...columns].join(', ');

/**
 * The statements that create a school table: keyed by its school, with row-level security and the school's
 * permissions.
 * @param isDistributed the school tables are distributed over a cluster already: this one is distributed before it gets
 * foreign keys, because a local table cannot reference a distributed one
 */
export function planSchoolTable(
  { name, description, columns, key, unique, references }: SchoolTable,
  isDistributed: boolean,
): string[] {
  const parts = [
    'school_id bigint not null',
    ...columns,
    `primary key (${keyOf(key)})`,
    ...(unique ?? []).map((uniqueColumns) => `unique (${keyOf(uniqueColumns)})`),
  ];
  const table = `${description ? `-- ${description}\n` : ''}create table ${name} (\n  ${parts.join(',\n  ')}\n)`;
  return [
    ONE_SHARD_AT_A_TIME,
    table,
    ...describeTable(table),
    ...(isDistributed ? [`select create_distributed_table('${name}', 'school_id', colocate_with => 'schools')`] : []),
    `alter table ${name} add foreign key (school_id) references schools (id) on delete cascade`,
    ...(references ?? []).map(
      (reference) =>
        `alter table ${name} add foreign key (${keyOf(reference.columns)}) references ${reference.table} (${keyOf(reference.to ?? ['id'])})${
          reference.onDelete ? ` on delete ${reference.onDelete}` : ''
        }`,
    ),
    ...protectionStatements(name),
  ];
}

/** Returns whether the school tables are distributed over a cluster. */
async function areSchoolsDistributed(db: QueryExecutorProvider): Promise<boolean> {
  if (!(await hasClusterExtension(db))) return false;
  const spread = await sql`select 1 from pg_dist_partition where logicalrelid = 'schools'::regclass`.execute(db);
  return spread.rows.length > 0;
}

/** Creates a school table in a migration, on any kind of database. Also add its name to `tables.registry.ts`. */
export async function createSchoolTable(db: QueryExecutorProvider, table: SchoolTable): Promise<void> {
  await createRoles(db);
  for (const statement of planSchoolTable(table, await areSchoolsDistributed(db))) await sql.raw(statement).execute(db);
}
