import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { connectServer, prepareDatabase } from '../database.ts';
import { testApp } from '../../testing/app.ts';
import { makeEmptyDatabase } from '../../testing/databases.ts';
import { dumpSchema } from './dump-schema.queries.ts';
import { migrate, migrationNames, RELEASED_SCHEMA } from '../migrations.ts';
import { protectTables } from '../row-level-security.ts';
import { printTableTypes } from './table-types.queries.ts';

const app = testApp();
const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

test('schema.sql is what the migrations create; `npm run schema -- --write` updates it', async () => {
  expect(await dumpSchema(app.database.kysely)).toBe(read('schema.sql'));
});

test('schema.sql loads into an empty database and creates the same schema', async () => {
  const { database, remove } = await makeEmptyDatabase(inject('template'));
  try {
    const { engine } = database;
    await (engine.kind === 'embedded'
      ? engine.pglite.exec(read('schema.sql'))
      : engine.ownerPool.query(read('schema.sql')));
    expect(await dumpSchema(database.kysely)).toBe(await dumpSchema(app.database.kysely));
  } finally {
    await remove();
  }
});

test.each([
  ['view', 'create view names as select name from pupils', 'relation names'],
  ['sequence', 'create sequence numbers', 'relation numbers'],
  ['function', "create function one() returns int language sql as 'select 1'", 'function one'],
  ['type', "create type mood as enum ('good')", 'type mood'],
  ['generated column', 'alter table tags add column size int generated always as (length(text)) stored', 'column size'],
])('the dump of a schema with a %s is rejected', async (_, statement, what) => {
  const undone = app.database.kysely.transaction().execute(async (tx) => {
    await sql.raw(statement).execute(tx);
    return dumpSchema(tx);
  });
  await expect(undone).rejects.toThrow(what);
});

test('generated-tables.ts is what the migrations create; `npm run tables -- --write` updates it', async () => {
  expect(await printTableTypes(app.database.kysely)).toBe(read('generated-tables.ts'));
});

test('table types are rejected for a column whose type has no TypeScript type', async () => {
  const undone = app.database.kysely.transaction().execute(async (tx) => {
    await sql`alter table tags add column place point`.execute(tx);
    return printTableTypes(tx);
  });
  await expect(undone).rejects.toThrow('tags.place, which is point');
});

test('migrating and protecting again changes nothing', async () => {
  const before = await dumpSchema(app.database.kysely);
  await migrate(app.database.kysely);
  await protectTables(app.database.kysely);
  expect(await dumpSchema(app.database.kysely)).toBe(before);
});

describe('a database that the next release has upgraded', () => {
  /** Starts on a database whose last migration is of a newer version. */
  async function startOn(oldestCompatible: string | null) {
    const db = app.database.kysely;
    const lines: string[] = [];
    await sql`alter table tags add column of_tomorrow text`.execute(db);
    await sql`insert into kysely_migration (name, timestamp, oldest_compatible)
      values ('9999_of_tomorrow', '2030-01-01', ${oldestCompatible})`.execute(db);
    const before = await dumpSchema(db);
    try {
      await prepareDatabase(
        app.database,
        async () => undefined,
        (line) => void lines.push(line),
      );
      expect(await dumpSchema(db)).toBe(before);
      return lines;
    } finally {
      await sql`delete from kysely_migration where name = '9999_of_tomorrow'`.execute(db);
      await sql`alter table tags drop column of_tomorrow`.execute(db);
    }
  }

  test('a database that the next release has upgraded is not changed, and a start prints a line for the operator', async () => {
    expect(await startOn(migrationNames.at(-1)!)).toEqual([expect.stringContaining('schema of the next version')]);
  });

  test.each([null, '9998_of_today'])(
    'a start rejects a newer database whose oldest compatible release is %s',
    async (oldest) => {
      await expect(startOn(oldest)).rejects.toThrow('used by a newer version of the portal');
    },
  );

  test('a migrated database is recorded as compatible with the release before', async () => {
    const { rows } = await sql<{ oldest: string }>`
      select distinct oldest_compatible as oldest from kysely_migration`.execute(app.database.kysely);
    expect(rows).toEqual([{ oldest: RELEASED_SCHEMA }]);
  });
});

if (inject('template').kind === 'server')
  test('processes that start at the same time on an empty database take turns, and all start', async () => {
    const { database, remove } = await makeEmptyDatabase(inject('template'));
    try {
      const url = database.engine.kind === 'server' ? String(database.engine.pool.options.connectionString) : '';
      let working = 0;
      const start = async () => {
        const own = connectServer(url, { connections: 2 });
        try {
          return await prepareDatabase(own, async () => {
            working += 1;
            const inTurn = working;
            await own.kysely.selectFrom('schools').select('id').execute();
            working -= 1;
            return inTurn;
          });
        } finally {
          await own.close();
        }
      };
      expect(await Promise.all([start(), start(), start()])).toEqual([1, 1, 1]);
      expect(await dumpSchema(database.kysely)).toBe(read('schema.sql'));
    } finally {
      await remove();
    }
  });
