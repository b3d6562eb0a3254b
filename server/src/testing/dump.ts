import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** All rows of all tables as text, including the job queue: what a person with a copy of the database can read. */
export async function dumpDatabase({ kysely }: Database): Promise<string> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(kysely);
  if (tables.length < 30) throw new Error(`Only ${tables.length} tables were found.`);
  const texts: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(
      kysely,
    );
    texts.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return texts.join('\n');
}
