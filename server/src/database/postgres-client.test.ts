import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { connectServer } from './database.ts';
import { PipeliningClient, READ_ONLY } from './postgres-client.ts';

const template = inject('template');

const rowsOf = (answer: unknown) => (answer as pg.QueryResult).rows as Record<string, unknown>[];

if (template.kind === 'server')
  describe('a connection', () => {
    const url = new URL(template.url);
    let client: PipeliningClient;
    /** What was passed to the driver, one entry per message. */
    let sent: string[];
    const driver = pg.Client.prototype.query;
    const ask = async (text: string, values?: unknown[]) =>
      (client.query as (...args: unknown[]) => Promise<unknown>)(text, values);

    beforeEach(async () => {
      sent = [];
      client = new PipeliningClient(url.href);
      await client.connect();
      pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
        sent.push(typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text);
        return (driver as (...all: unknown[]) => unknown).apply(this, args);
      } as typeof driver;
    });
    afterEach(async () => {
      pg.Client.prototype.query = driver;
      await client.end();
    });

    test('a connection sends begin and set local with the first statement', async () => {
      await ask('begin');
      await ask("set local app.school_id = '7'");
      expect(sent).toEqual([]);
      expect(rowsOf(await ask('select current_setting($1) as id', ['app.school_id']))).toEqual([{ id: '7' }]);
      expect(sent).toEqual(['begin', "set local app.school_id = '7'", 'select current_setting($1) as id']);
      await ask('commit');
      expect(rowsOf(await ask('select current_setting($1, true) as id', ['app.school_id']))[0]?.id).not.toBe('7');
    });

    test.each(['commit', 'rollback'])('a connection sends nothing when nothing was done before the %s', async (end) => {
      await ask('begin');
      await ask("set local app.school_id = '7'");
      await ask(end);
      expect(sent).toEqual([]);
      expect(
        rowsOf(
          await ask('select txid_current_if_assigned() as id, current_setting($1, true) as school', ['app.school_id']),
        )[0]?.school,
      ).not.toBe('7');
    });

    test('a connection continues when a migration adds a column to a table that it has queried', async () => {
      await ask('create temporary table houses (id int)');
      await ask('insert into houses values (7)');
      const texts = ['select * from houses where id = $1', 'select h.* from houses h where id = $1'];
      texts.push('update houses set id = id where id = $1 returning *', 'select h.id, h.* from houses h where id = $1');
      for (const text of texts) expect(rowsOf(await ask(text, [7]))).toHaveLength(1);
      await ask('alter table houses add column name text');
      for (const text of texts) expect(rowsOf(await ask(text, [7]))).toEqual([{ id: 7, name: null }]);
    });

    const read = async (text: string, values?: unknown[]) => {
      await ask('begin');
      await ask(READ_ONLY);
      await ask("set local app.school_id = '7'");
      return rowsOf(await ask(text, values));
    };

    test('a connection completes the commit of a read-only transaction without waiting for the server', async () => {
      const opening = ['begin', READ_ONLY, "set local app.school_id = '7'"];
      for (let turn = 0; turn < 3; turn += 1) {
        sent = [];
        expect(await read('select current_setting($1) as id', ['app.school_id'])).toEqual([{ id: '7' }]);
        const { stream } = (client as unknown as { connection: { stream: NodeJS.ReadableStream } }).connection;
        stream.pause();
        await ask('commit');
        stream.resume();
        expect(sent).toEqual([...opening, 'select current_setting($1) as id', 'commit']);
        expect(rowsOf(await ask('select current_setting($1, true) as id', ['app.school_id']))[0]?.id).not.toBe('7');
      }
    });

    test('a connection waits for the commit of a transaction that writes', async () => {
      await ask('create temporary table deferred (n int primary key deferrable initially deferred)');
      await ask('begin');
      await ask('insert into deferred values (1), (1)');
      await expect(ask('commit')).rejects.toMatchObject({ code: '23505' });
    });

    test('a read-only transaction writes nothing, and its connection continues after a failure', async () => {
      await ask('begin');
      await ask(READ_ONLY);
      await expect(ask('create table never (text text)')).rejects.toThrow('read-only');
      await ask('rollback');
      expect(rowsOf(await ask('select 1 as one'))).toEqual([{ one: 1 }]);
    });

    test.each([
      ['a value', 'select 1 / $1::int as n', [0], '22012'],
      ['a table that is not there', 'select * from nowhere where $1::int = 1', [1], '42P01'],
    ])(
      'a connection reports a failure at %s each time, and reads correctly in between',
      async (_what, text, values, code) => {
        for (let turn = 0; turn < 3; turn += 1) {
          await expect(read(text, values)).rejects.toMatchObject({ code });
          await ask('rollback');
          expect(await read('select 40 / $1::int as n', [4])).toEqual([{ n: 10 }]);
          await ask('commit');
        }
        expect(rowsOf(await ask('select 6 / $1::int as n', [2]))).toEqual([{ n: 3 }]);
      },
    );

    test('a connection discards pending settings when the transaction ends', async () => {
      await ask('begin');
      await ask('select 1');
      await ask('set local role none');
      sent = [];
      await ask('commit');
      expect(sent).toEqual(['commit']);
      expect(rowsOf(await ask('select 1 as one'))).toEqual([{ one: 1 }]);
    });

    test('a rollback undoes what the connection wrote', async () => {
      await ask('create temporary table notes (text text)');
      await ask('begin');
      await ask('insert into notes values ($1)', ['gone']);
      await ask('rollback');
      expect(rowsOf(await ask('select count(*)::int as n from notes'))).toEqual([{ n: 0 }]);
      await ask('begin');
      await ask('insert into notes values ($1)', ['kept']);
      await ask('commit');
      expect(rowsOf(await ask('select text from notes'))).toEqual([{ text: 'kept' }]);
    });

    test('a connection works again after an error in a transaction, also when its start fails', async () => {
      await ask('begin');
      await expect(ask('select 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' });
      // The cause, not only that the transaction is aborted.
      await expect(ask('select 1')).rejects.toMatchObject({ code: '22012' });
      await ask('rollback');
      await ask('begin');
      await ask('set local role missing_role');
      await expect(ask('select 1')).rejects.toMatchObject({ code: '22023' });
      await ask('rollback');
      expect(rowsOf(await ask('select 1 as one'))).toEqual([{ one: 1 }]);
    });

    test('statements sent together all fail with the error of the first that failed', async () => {
      await ask('begin');
      const failed = await Promise.allSettled([
        ask('select 1 / $1::int', [0]),
        ask('select 1'),
        ask('select $1::int', [2]),
      ]);
      expect(failed.map((result) => result.status === 'rejected' && result.reason.code)).toEqual([
        '22012',
        '22012',
        '22012',
      ]);
      await ask('rollback');
    });

    test('a connection rolls back although a set local is queued after an error', async () => {
      await ask('begin');
      await expect(ask('select 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' });
      await ask("set local app.school_id = '8'");
      await ask('rollback');
      expect(rowsOf(await ask('select 1 as one'))).toEqual([{ one: 1 }]);
    });

    test('a set local in the middle of a transaction applies from there on', async () => {
      await ask('begin');
      await ask('select $1::int', [1]);
      await ask("set local app.school_id = '9'");
      expect(rowsOf(await ask("select current_setting('app.school_id') as id"))).toEqual([{ id: '9' }]);
      await ask('rollback');
    });

    test('a connection prepares a statement once and uses it again', async () => {
      // The bound on names counts the statements of every file that this process has tested; a new module has none.
      vi.resetModules();
      const fresh = await import('./postgres-client.ts');
      await client.end();
      client = new fresh.PipeliningClient(url.href);
      await client.connect();
      for (const n of [1, 2, 3]) expect(rowsOf(await ask('select $1::int + 40 as n', [n]))).toEqual([{ n: n + 40 }]);
      for (const n of [1, 2]) await ask('select $1::int + 50 as n', [n]);
      const prepared = rowsOf(
        await ask(
          'select statement, name, generic_plans + custom_plans as uses from pg_prepared_statements order by statement',
        ),
      );
      expect(prepared.map(({ statement, uses }) => [statement, Number(uses)])).toEqual([
        ['select $1::int + 40 as n', 3],
        ['select $1::int + 50 as n', 2],
      ]);
      expect(new Set(prepared.map(({ name }) => name)).size).toBe(2);
    });

    test('statements that are sent together run in order, all inside the transaction', async () => {
      await ask('create temporary table notes (n int)');
      await ask('begin');
      await Promise.all([1, 2, 3].map((n) => ask('insert into notes values ($1)', [n])));
      await ask('rollback');
      expect(rowsOf(await ask('select count(*)::int as n from notes'))).toEqual([{ n: 0 }]);
    });
  });

if (template.kind === 'server')
  test('a lost connection of the pool is closed within 10 s, at both ends', async () => {
    const database = connectServer(template.url, { connections: 1 });
    const { rows } = await sql<{ name: string; ms: number }>`
      select name, setting::int * (case unit when 's' then 1000 else 1 end) as ms from pg_settings
      where name in ('statement_timeout', 'tcp_user_timeout', 'tcp_keepalives_idle', 'idle_in_transaction_session_timeout')
      order by name`.execute(database.kysely);
    await database.close();
    expect(rows).toEqual([
      { name: 'idle_in_transaction_session_timeout', ms: 60_000 },
      { name: 'statement_timeout', ms: 8000 },
      { name: 'tcp_keepalives_idle', ms: 10_000 },
      { name: 'tcp_user_timeout', ms: 10_000 },
    ]);
  });

test("the connection is the driver's own client, so that the pool can use it", () => {
  expect(PipeliningClient.prototype).toBeInstanceOf(pg.Client);
});
