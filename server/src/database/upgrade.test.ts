import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { makeEmptyDatabase } from '../testing/databases.ts';
import { openEmbedded } from './embedded.ts';
import { type Database, prepareDatabase } from './database.ts';
import { type Migration, migrate } from './migrations.ts';
import { runStatements } from './statements.ts';

const addTable = (name: string): Migration => ({
  up: (db) => runStatements(db, `create table ${name} (id bigint primary key)`),
});
const FIRST_MIGRATION = { '9000_first': addTable('first_table') };
const BOTH_MIGRATIONS = { ...FIRST_MIGRATION, '9001_second': addTable('second_table') };

const listDone = async ({ kysely }: Database) =>
  (
    await sql<{ name: string }>`select name from kysely_migration where name like '9%' order by name`.execute(kysely)
  ).rows.map(({ name }) => name);
const listTables = async ({ kysely }: Database) =>
  (
    await sql<{ name: string }>`
      select relname as name from pg_class where relname in ('first_table', 'second_table') order by relname`.execute(
      kysely,
    )
  ).rows.map(({ name }) => name);

/** A database with the schema of this version. */
async function makeDatabase() {
  const made = await makeEmptyDatabase(inject('template'));
  await migrate(made.database.kysely);
  return made;
}

test.each([
  ['a digest of other statements', sql`update kysely_migration set digest = 'other'`],
  ['no digest', sql`alter table kysely_migration drop column digest`],
  ['an older name', sql`update kysely_migration set name = '0001_the_first_tables', digest = null`],
])('a start rejects a database whose record of the initial schema has %s', async (_, change) => {
  const { database, remove } = await makeDatabase();
  try {
    await change.execute(database.kysely);
    const start = prepareDatabase(database, async () => undefined);
    await expect(start).rejects.toThrow(
      /^An unreleased version .*\(npm run backup\), and restore .*\(npm run restore\)\.$/,
    );
  } finally {
    await remove();
  }
});

if (inject('template').kind === 'embedded')
  test('a start on a data folder with another initial schema names the folder to delete', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-older-'));
    const database = await openEmbedded(folder);
    try {
      await migrate(database.kysely);
      await sql`update kysely_migration set digest = 'other'`.execute(database.kysely);
      await expect(prepareDatabase(database, async () => undefined)).rejects.toThrow(
        `delete ${folder} to start again with the demonstration`,
      );
    } finally {
      await database.close();
      rmSync(folder, { recursive: true });
    }
  });

test('a migration runs although one with a higher number ran before', async () => {
  const { database, remove } = await makeDatabase();
  try {
    await migrate(database.kysely, undefined, { more: { '9001_second': BOTH_MIGRATIONS['9001_second'] } });
    expect(await listDone(database)).toEqual(['9001_second']);
    await migrate(database.kysely, undefined, { more: BOTH_MIGRATIONS });
    expect(await listDone(database)).toEqual(['9000_first', '9001_second']);
    expect(await listTables(database)).toEqual(['first_table', 'second_table']);
  } finally {
    await remove();
  }
});

test('an upgrade that fails or whose connection ends leaves whole migrations, and the next start completes it', async () => {
  const { database, remove } = await makeDatabase();
  const { kysely, engine } = database;
  try {
    const failing: Migration = {
      up: async (db) => {
        await BOTH_MIGRATIONS['9001_second'].up(db);
        throw new Error('halfway');
      },
    };
    await expect(migrate(kysely, undefined, { more: { ...FIRST_MIGRATION, '9001_second': failing } })).rejects.toThrow(
      'halfway',
    );
    expect([await listDone(database), await listTables(database)]).toEqual([['9000_first'], ['first_table']]);

    if (engine.kind === 'server') {
      const killed: Migration = {
        up: async (db) => {
          await BOTH_MIGRATIONS['9001_second'].up(db);
          await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
        },
      };
      await expect(
        migrate(kysely, undefined, { more: { ...FIRST_MIGRATION, '9001_second': killed } }),
      ).rejects.toThrow();
      expect([await listDone(database), await listTables(database)]).toEqual([['9000_first'], ['first_table']]);
    }

    await migrate(kysely, undefined, { more: BOTH_MIGRATIONS });
    expect([await listDone(database), await listTables(database)]).toEqual([
      ['9000_first', '9001_second'],
      ['first_table', 'second_table'],
    ]);
  } finally {
    await remove();
  }
});

if (inject('template').kind === 'embedded')
  test('an embedded database whose process is killed during an upgrade has the migrations that were complete', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-killed-'));
    // It exits, as if killed, in the second migration.
    const upgrade = `
      import { openEmbedded } from './server/src/database/embedded.ts';
      import { migrate } from './server/src/database/migrations.ts';
      import { runStatements } from './server/src/database/statements.ts';
      const { kysely } = await openEmbedded(process.argv[1], undefined, (text) => {
        if (text.includes('create table second_table')) process.kill(process.pid, 'SIGKILL');
      });
      await migrate(kysely);
      const addTable = (name) => ({ up: (db) => runStatements(db, 'create table ' + name + ' (id bigint primary key)') });
      await migrate(kysely, undefined, { more: { '9000_first': addTable('first_table'), '9001_second': addTable('second_table') } });`;
    const killed = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', upgrade, folder], {
      cwd: join(import.meta.dirname, '../../..'),
    });
    await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' });
    const database = await openEmbedded(folder);
    try {
      expect([await listDone(database), await listTables(database)]).toEqual([['9000_first'], ['first_table']]);
      await migrate(database.kysely, undefined, { more: BOTH_MIGRATIONS });
      expect(await listTables(database)).toEqual(['first_table', 'second_table']);
    } finally {
      await database.close();
      rmSync(folder, { recursive: true });
    }
  });
