import { type QueryExecutorProvider, sql } from 'kysely';

/** On a cluster DDL runs on one shard after the other; other servers ignore the setting. */
export const ONE_SHARD_AT_A_TIME = "set local citus.multi_shard_modify_mode = 'sequential'";

/** The statements that store the comments above `create table` and above its columns as descriptions in the database. */
export function describeTable(statement: string): string[] {
  const table = /^create (?:unlogged )?table (\w+)/m.exec(statement)?.[1];
  if (!table) return [];
  return [...statement.matchAll(/((?:^ *-- .*\n)+) *(create )?(\w+)/gm)].map(([, lines = '', create, column]) => {
    const text = lines
      .replaceAll(/^ *-- /gm, '')
      .trim()
      .replaceAll('\n', ' ')
      .replaceAll("'", "''");
    return `comment on ${create ? `table ${table}` : `column ${table}.${column}`} is '${text}'`;
  });
}

/**
 * Runs the statements of a migration one after the other; they are separated by blank lines. A comment above a new table
 * or column becomes its description.
 */
export async function runStatements(db: QueryExecutorProvider, statements: string): Promise<void> {
  await sql.raw(ONE_SHARD_AT_A_TIME).execute(db);
  for (const statement of statements.split(/\n\s*\n/))
    if (statement.trim()) for (const text of [statement, ...describeTable(statement)]) await sql.raw(text).execute(db);
}

/**
 * Builds an index without stopping writes to its table, in a migration with `runsInTransaction = false`. What an
 * interrupted build left is invalid and is dropped first.
 * @param target the table and columns, `pupils (school_id, name_key)`
 */
export async function createIndexConcurrently(
  db: QueryExecutorProvider,
  name: string,
  target: string,
  { isUnique = false }: { isUnique?: boolean } = {},
): Promise<void> {
  const { rows } = await sql<{ isValid: boolean }>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name})`.execute(db);
  if (rows[0]?.isValid) return;
  await sql.raw(`drop index concurrently if exists ${name}`).execute(db);
  await sql.raw(`create ${isUnique ? 'unique ' : ''}index concurrently ${name} on ${target}`).execute(db);
}
