import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { describeSchema } from './describe-schema.queries.ts';
import { migrate } from './migrations.ts';
import { applyRowLevelSecurity } from './row-level-security.ts';

const app = testApp();

test('schema.sql is what the migrations make; `npm run -s schema > server/src/database/schema.sql` writes it anew', async () => {
  expect(await describeSchema(app.database.kysely)).toBe(readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8'));
});

test('migrating and protecting again changes nothing', async () => {
  const before = await describeSchema(app.database.kysely);
  await migrate(app.database.kysely);
  await app.database.kysely.transaction().execute(applyRowLevelSecurity as (tx: unknown) => Promise<void>);
  expect(await describeSchema(app.database.kysely)).toBe(before);
});

test('a database whose record has former names of migrations is brought up to date', async () => {
  const db = app.database.kysely;
  await sql`update kysely_migration set name = '0001_the_first_tables' where name = '0001_initial_schema'`.execute(db);
  await migrate(db);
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  expect(rows.map(({ name }) => name)).toContain('0001_initial_schema');
  expect(rows.map(({ name }) => name)).not.toContain('0001_the_first_tables');
});

test('a database that a newer version has used is refused, in words', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999_of_tomorrow', '2030-01-01')`.execute(
    app.database.kysely,
  );
  await expect(migrate(app.database.kysely)).rejects.toThrow('used by a newer version of the portal');
  await sql`delete from kysely_migration where name = '9999_of_tomorrow'`.execute(app.database.kysely);
  await migrate(app.database.kysely);
});
