import { openEmbedded } from '#server/database/embedded.ts';
import { migrate, migrationNames } from '#server/database/migrations.ts';

/** The initial schema is not linted: it runs on an empty database, which nothing uses. */
const LAST_UNLINTED = '0001_initial_schema';

/** Statements of the runner itself, and queries, which lock nothing. */
const IGNORED = /^\s*(select\b|(insert into|update|create table if not exists) kysely_migration\b)/i;

/** The SQL that each migration to be linted sends to an empty database, recorded by running it. */
export async function recordMigrations(): Promise<{ recorded: { name: string; sql: string }[]; count: number }> {
  const linted = migrationNames.filter((name) => name > LAST_UNLINTED);
  const recorded: { name: string; sql: string }[] = [];
  if (linted.length > 0) {
    let statements: string[] = [];
    const database = await openEmbedded(undefined, undefined, (text) => void statements.push(text.trim()));
    try {
      await migrate(database.kysely, LAST_UNLINTED);
      for (const name of linted) {
        statements = [];
        await migrate(database.kysely, name);
        const sql = statements.filter((statement) => !IGNORED.test(statement)).join(';\n');
        if (sql) recorded.push({ name, sql: `${sql};\n` });
      }
    } finally {
      await database.close();
    }
  }
  return { recorded, count: migrationNames.length };
}
