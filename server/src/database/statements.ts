import { type Kysely, sql } from 'kysely';

/** On a cluster a change of tables goes to one shard after the other; other servers keep the setting and never read it. */
export const ONE_SHARD_AT_A_TIME = "set local citus.multi_shard_modify_mode = 'sequential'";

/** Runs the statements of a migration one after the other; a blank line stands between two. */
export async function runStatements(db: Kysely<unknown>, statements: string): Promise<void> {
  await sql.raw(ONE_SHARD_AT_A_TIME).execute(db);
  for (const statement of statements.split(/\n\s*\n/)) if (statement.trim()) await sql.raw(statement).execute(db);
}
