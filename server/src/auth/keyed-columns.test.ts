import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { KEY_USERS, KEYED_COLUMNS, SEALED_COLUMNS, UNKEYED_COLUMNS } from './keyed-columns.ts';

const app = testApp();
const SERVER = join(import.meta.dirname, '..');

const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);

test('every column of bytes is declared as encrypted, keyed or independent of SECRETS_KEY', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.atttypid = 'bytea'::regtype
      and a.attnum > 0 and not a.attisdropped`.execute(app.database.kysely);
  const declared = [...sealed, ...Object.keys(KEYED_COLUMNS), ...Object.keys(UNKEYED_COLUMNS)];
  expect(declared.sort()).toEqual(rows.map(({ name }) => name).sort());
});

test('every source file that uses SECRETS_KEY states where the result is stored', () => {
  const users = globSync('**/*.ts', { cwd: SERVER })
    .filter((path) => !path.endsWith('.test.ts') && path !== 'auth/secrets-key.ts')
    .filter((path) => /\b(sealSecret|digestSecret)\(/.test(readFileSync(join(SERVER, path), 'utf8')));
  expect(users.sort()).toEqual(Object.keys(KEY_USERS).sort());
});

test('every encrypted or keyed column has the source file that writes it', () => {
  const written = Object.values(KEY_USERS).flat();
  expect([...sealed, ...Object.keys(KEYED_COLUMNS)].filter((column) => !written.includes(column))).toEqual([]);
});
