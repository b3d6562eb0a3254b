import { type Kysely, sql } from 'kysely';

/** Runs the statements of a migration one after the other; a blank line stands between two. */
export async function runStatements(db: Kysely<unknown>, statements: string): Promise<void> {
  for (const statement of statements.split(/\n\s*\n/)) if (statement.trim()) await sql.raw(statement).execute(db);
}
