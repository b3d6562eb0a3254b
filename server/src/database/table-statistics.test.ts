import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { listJobs } from '../app.ts';
import { testApp } from '../testing/app.ts';
import { prepareDatabase } from './database.ts';
import { refreshStatistics } from './table-statistics.ts';
import type { Tables } from './tables.ts';

const app = testApp();

const createTable = (name: string) => sql.raw(`create table ${name} (number int)`).execute(app.database.kysely);

/** Inserts rows, and lets the database count them before the next statement. */
const insertRows = (table: string, count: number, kysely: Kysely<Tables> = app.database.kysely) =>
  kysely.connection().execute(async (connection) => {
    await sql.raw(`insert into ${table} select generate_series(1, ${count})`).execute(connection);
    await sql`select pg_stat_force_next_flush()`.execute(connection);
  });

async function expectedRows(table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select reltuples as rows from pg_class where oid = ${table}::regclass`.execute(app.database.kysely);
  return rows[0]!.rows;
}

test('a table is analysed once it has rows, and again after more than a tenth of them has changed', async () => {
  const { kysely } = app.database;
  await createTable('numbers');
  expect(await refreshStatistics(kysely)).not.toContain('public.numbers');
  await insertRows('numbers', 1000);
  expect(await refreshStatistics(kysely)).toContain('public.numbers');
  expect(await expectedRows('numbers')).toBe(1000);
  await insertRows('numbers', 100);
  expect(await refreshStatistics(kysely)).not.toContain('public.numbers');
  await insertRows('numbers', 100);
  expect(await refreshStatistics(kysely)).toContain('public.numbers');
  expect(await expectedRows('numbers')).toBe(1200);
});

test('the start of a process analyses the tables that it has filled', async () => {
  await createTable('"Filled at the start"');
  await prepareDatabase(app.database, () => insertRows('"Filled at the start"', 500));
  expect(await expectedRows('"Filled at the start"')).toBe(500);
});

test('the embedded database is analysed by jobs, and a server by its own autovacuum', async () => {
  const names = listJobs(app.services, async () => undefined).map(({ name }) => name);
  const isEmbedded = app.database.engine.kind === 'embedded';
  expect(['statistics', 'vacuum'].map((name) => names.includes(name))).toEqual([isEmbedded, isEmbedded]);
  if (!isEmbedded) return;
  await createTable('imported');
  await insertRows('imported', 300);
  await app.runJobs({ scheduled: true });
  expect(await expectedRows('imported')).toBe(300);
});
