import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Runs `work` while the database seems to be a cluster. Citus cannot be installed everywhere, so only its name is registered. */
export async function withClusterExtension({ kysely }: Database, work: () => Promise<void>): Promise<void> {
  const change = (statement: string) =>
    kysely.transaction().execute(async (tx) => {
      await sql`set local allow_system_table_mods = on`.execute(tx);
      await sql.raw(statement).execute(tx);
    });
  await change(`insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    select 999999, 'citus', extowner, extnamespace, extrelocatable, extversion from pg_extension where extname = 'plpgsql'`);
  try {
    await work();
  } finally {
    await change('delete from pg_extension where oid = 999999');
  }
}
