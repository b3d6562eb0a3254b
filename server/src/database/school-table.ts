import { type Kysely, sql } from 'kysely';
import { createRoles, protectingStatements } from './row-level-security.ts';
import { ONE_SHARD_AT_A_TIME } from './statements.ts';

/** A table whose rows belong to one school each. */
export interface SchoolTable {
  name: string;
  /** The columns besides `school_id`, with their checks. */
  columns: readonly string[];
  /** What tells rows of one school apart, `school_id` before it; none where a school has one row. */
  key: readonly string[];
  /** Unique besides the key, each within its school. */
  unique?: readonly (readonly string[])[];
  /** To tables of the school: the columns that lead there besides `school_id`, which is `(school_id, id)` of that table. */
  references?: readonly { columns: readonly string[]; table: string; to?: readonly string[]; onDelete?: 'cascade' }[];
}

const keyOf = (columns: readonly string[]) => ['school_id', ...columns].join(', ');

/**
 * The statements that make a school table: keyed by its school, forced row-level security, the school's rights.
 * @param isSpread the school tables lie on the machines of a cluster already: this one goes to its schools before it
 *   points to anything, because a table that is not spread may not point to one that is
 */
export function planSchoolTable({ name, columns, key, unique, references }: SchoolTable, isSpread: boolean): string[] {
  const parts = [
    'school_id bigint not null',
    ...columns,
    `primary key (${keyOf(key)})`,
    ...(unique ?? []).map((one) => `unique (${keyOf(one)})`),
  ];
  return [
    ONE_SHARD_AT_A_TIME,
    `create table ${name} (\n  ${parts.join(',\n  ')}\n)`,
    ...(isSpread ? [`select create_distributed_table('${name}', 'school_id', colocate_with => 'schools')`] : []),
    `alter table ${name} add foreign key (school_id) references schools (id) on delete cascade`,
    ...(references ?? []).map(
      (to) =>
        `alter table ${name} add foreign key (${keyOf(to.columns)}) references ${to.table} (${keyOf(to.to ?? ['id'])})${
          to.onDelete ? ` on delete ${to.onDelete}` : ''
        }`,
    ),
    ...protectingStatements(name),
  ];
}

/** Whether the school tables lie on the machines of a cluster. */
async function areSchoolsSpread(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db);
  if (rows.length === 0) return false;
  const spread = await sql`select 1 from pg_dist_partition where logicalrelid = 'schools'::regclass`.execute(db);
  return spread.rows.length > 0;
}

/** Makes a school table in a migration, wherever the database is. Its name stands in `table-kinds.ts` too. */
export async function createSchoolTable(db: Kysely<unknown>, table: SchoolTable): Promise<void> {
  await createRoles(db);
  for (const statement of planSchoolTable(table, await areSchoolsSpread(db))) await sql.raw(statement).execute(db);
}
