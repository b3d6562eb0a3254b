import { classCalls } from '#contract/calls/classes.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { countBlockedConnections } from '../testing/blocked-connections.ts';
import { makeEmptyDatabase } from '../testing/databases.ts';
import { withLockIfFree } from './advisory-locks.ts';
import { backUp } from '../backups/backup.ts';
import { prepareDatabase } from './database.ts';
import { migrate, needsMigration } from './migrations.ts';
import { createIndexConcurrently } from './statements.ts';

const app = testApp();
const template = inject('template');

async function isValidIndex(name: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ indisvalid: boolean }>`
    select indisvalid from pg_index where indexrelid = to_regclass(${name})`.execute(app.database.kysely);
  return rows[0]?.indisvalid;
}

test('an index that an interrupted migration left invalid is built again', async () => {
  // The school has two classes, so that the unique index cannot be built.
  await app.build.school();
  const db = app.database.kysely;
  const duplicate = sql`create unique index concurrently classes_test on classes (school_id)`.execute(db);
  await expect(duplicate).rejects.toThrow('could not create unique index');
  expect(await isValidIndex('classes_test')).toBe(false);
  for (let runs = 0; runs < 2; runs += 1) await createIndexConcurrently(db, 'classes_test', 'classes (school_id)');
  expect(await isValidIndex('classes_test')).toBe(true);
});

if (template.kind === 'server') {
  const connectionString = () =>
    app.database.engine.kind === 'server' ? String(app.database.engine.pool.options.connectionString) : '';

  /** Runs `work` while another program has a transaction open, which `end` commits. */
  async function besideTransaction<T>(statement: string, work: (end: () => Promise<void>) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: connectionString(), application_name: 'reader' });
    await client.connect();
    await client.query('begin');
    await client.query(statement);
    try {
      return await work(async () => void (await client.query('commit')));
    } finally {
      await client.end();
    }
  }

  test('every request is answered while a migration waits for a long query', async () => {
    const { id, ownClass, admin } = await app.build.school();
    const progress: string[] = [];
    const statuses = await besideTransaction('lock table classes in access share mode', async (end) => {
      const state = { isDone: false };
      const migration = migrate(app.database.kysely, undefined, {
        more: {
          '9000_test': { up: async (db) => void (await sql`alter table classes add column house text`.execute(db)) },
        },
        lockTimeoutMs: 100,
        pause: async (attempt) => {
          if (attempt === 3) await end();
        },
        onProgress: (line) => void progress.push(line),
      }).finally(() => (state.isDone = true));
      const answered: number[] = [];
      while (!state.isDone) {
        const { status } = await app.call(classCalls.getClass, {
          params: { id, groupId: ownClass.id },
          token: admin.token,
        });
        answered.push(status);
      }
      await migration;
      return answered;
    });
    expect(statuses.length).toBeGreaterThan(0);
    expect([...new Set(statuses)]).toEqual([200]);
    // Later lines depend on how long requests hold their locks.
    expect(progress.slice(0, 4)).toEqual([
      'Migration 1 of 1: 9000_test …',
      ...[1, 2, 3].map((attempt) =>
        expect.stringMatching(
          new RegExp(
            String.raw`^9000_test could not lock its tables \(attempt ${attempt}\).* \(process \d+, reader\)\.$`,
          ),
        ),
      ),
    ]);
    await sql`select house from classes`.execute(app.database.kysely);
    await sql`delete from kysely_migration where name = '9000_test'`.execute(app.database.kysely);
  });

  test('a table can be written to while a migration builds an index on the table', async () => {
    const { id, admin } = await app.build.school();
    await besideTransaction('lock table classes in row exclusive mode', async (end) => {
      const db = app.database.kysely;
      const built = createIndexConcurrently(db, 'classes_by_house', 'classes (school_id, id)');
      await expect.poll(() => countBlockedConnections(app.database)).toBe(1);
      const created = await app.call(classCalls.createClass, {
        params: { id },
        body: { name: 'Elm' },
        token: admin.token,
      });
      expect(created.status).toBe(200);
      await end();
      await built;
    });
    expect(await isValidIndex('classes_by_house')).toBe(true);
  });

  test('a start that has migrations to run waits until a dump of the database is complete', async () => {
    const { database, remove } = await makeEmptyDatabase(template);
    try {
      const url = database.engine.kind === 'server' ? String(database.engine.pool.options.connectionString) : '';
      const dump = new pg.Client({ connectionString: url, application_name: 'pg_dump' });
      await dump.connect();
      const neededWhileWaiting: Promise<boolean>[] = [];
      const endDump = (line: string) => {
        if (!line.startsWith('A dump')) return;
        neededWhileWaiting.push(needsMigration(database.kysely).finally(() => dump.end()));
      };
      await prepareDatabase(database, async () => undefined, endDump);
      expect(await Promise.all(neededWhileWaiting)).toEqual([true]);
      expect(await needsMigration(database.kysely)).toBe(false);
    } finally {
      await remove();
    }
  });

  test('no backup begins while a migration runs', async () => {
    const backup = await withLockIfFree(app.database.kysely, 'backup', () =>
      backUp(app.database, '/nonexistent/test.backup', new Date()).catch((error: Error) => error.message),
    );
    expect(backup).toContain('or an upgrade');
  });
}
