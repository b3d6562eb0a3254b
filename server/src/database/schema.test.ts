import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { describeSchema } from './describe-schema.queries.ts';
import { migrate } from './migrations.ts';
import { protectTables } from './protection.ts';

const app = testApp();

test('schema.sql is what the migrations make; `npm run -s schema > server/src/database/schema.sql` writes it anew', async () => {
  expect(await describeSchema(app.database.kysely)).toBe(readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8'));
});

test('migrating and protecting again changes nothing', async () => {
  const before = await describeSchema(app.database.kysely);
  await migrate(app.database.kysely);
  await app.database.kysely.transaction().execute(protectTables as (tx: unknown) => Promise<void>);
  expect(await describeSchema(app.database.kysely)).toBe(before);
});
