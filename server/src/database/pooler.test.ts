import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createApp, listJobs } from '../app.ts';
import { readConfig } from '../config.ts';
import { openQueue } from '../jobs/queue.ts';
import { checkDatabase } from '../setting-checks/check-database.ts';
import { testApp } from '../testing/app.ts';
import { testSettings } from '../testing/test-settings.ts';
import { backUp } from '../backups/backup.ts';
import { connectServer, type Database, prepareDatabase } from './database.ts';
import { retryOnLockTimeout } from './lock-retries.ts';

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
const pgbouncer = folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path));

/** PgBouncer does not run as root; every Linux has an unprivileged user with this ID. */
const OVERFLOW_ID = 65_534;

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts PgBouncer in transaction mode with fewer connections than the portal has. */
async function startPooler(program: string, folder: string, url: URL): Promise<{ port: number; child: ChildProcess }> {
  const port = await findFreePort();
  const password = url.password ? ` password=${decodeURIComponent(url.password)}` : '';
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${url.hostname} port=${url.port || 5432} user=${decodeURIComponent(url.username)}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
`,
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [folder, file]) chownSync(path, OVERFLOW_ID, OVERFLOW_ID);
  const user = isRoot ? { uid: OVERFLOW_ID, gid: OVERFLOW_ID } : {};
  const child = spawn(program, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((ready, fail) => {
    let output = '';
    child.once('exit', () => fail(new Error(output)));
    child.stderr.on('data', (text: Buffer) => {
      output += String(text);
      if (output.includes('process up')) ready();
    });
  });
  return { port, child };
}

const app = testApp();

test('a migration in a transaction has no deadline', async () => {
  const { kysely } = app.database;
  let limit: string | undefined;
  await retryOnLockTimeout(
    kysely,
    'test',
    async (tx) => {
      const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(tx);
      limit = rows[0]?.statement_timeout;
    },
    {},
  );
  expect(limit).toBe('0');
});

if (inject('template').kind === 'server' && !pgbouncer)
  test('the tests behind PgBouncer are left out, because PgBouncer is not installed', () => {
    expect(pgbouncer).toBeUndefined();
  });

if (inject('template').kind === 'server' && pgbouncer)
  describe('behind PgBouncer in transaction mode', () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-pooler-'));
    let child: ChildProcess;
    let directUrl: string;
    let pooledUrl: string;
    let database: Database;

    beforeAll(async () => {
      directUrl = app.database.engine.kind === 'server' ? app.database.engine.directUrl : '';
      const url = new URL(directUrl);
      const pooler = await startPooler(pgbouncer, folder, url);
      child = pooler.child;
      url.host = `127.0.0.1:${pooler.port}`;
      url.password = '';
      pooledUrl = url.href;
      database = connectServer(pooledUrl, {
        connections: 20,
        connectTimeoutMs: 60_000,
        directUrl,
        isPooled: true,
        startsIdle: true,
      });
      await prepareDatabase(database, async () => undefined);
    });
    afterAll(async () => {
      await database.close();
      const ended = new Promise((done) => child.once('exit', done));
      child.kill();
      await ended;
      rmSync(folder, { recursive: true });
    });

    test('the portal behind PgBouncer starts, answers requests at once, and runs jobs', async () => {
      const school = await app.build.school();
      const services = { ...app.services, database };
      const fastify = await createApp(services);
      const fail = (error: Error) => {
        throw error;
      };
      const queue = await openQueue(
        database,
        listJobs(services, async () => undefined),
        fail,
      );
      const headers = { authorization: `Bearer ${school.admin.token}` };
      const path = `/v1/enterprises/${school.id}/readers`;
      const requests = Array.from({ length: 150 }, async (_, index) => {
        const { statusCode } = await (index % 3 === 0
          ? fastify.inject({
              method: 'POST',
              url: `${path}/${school.unplaced.id}`,
              headers,
              payload: { name: `Ada ${String.fromCharCode(65 + (index % 26))}` },
            })
          : fastify.inject({ url: index % 3 === 1 ? path : '/v1/users/me', headers }));
        return statusCode;
      });
      expect(await Promise.all(requests)).toEqual(Array<number>(150).fill(200));
      expect(await queue.drain({ scheduled: true })).toBeGreaterThan(0);
      await queue.stop();
      await fastify.close();
    });

    test('each connection behind PgBouncer has the deadlines, and starts in the role without rights', async () => {
      const { rows } = await sql<{ name: string; setting: string }>`
        select name, setting from pg_settings
        where name in ('statement_timeout', 'idle_in_transaction_session_timeout')
        union all select 'role', current_user::text order by name`.execute(database.kysely);
      expect(rows).toEqual([
        { name: 'idle_in_transaction_session_timeout', setting: '60000' },
        { name: 'role', setting: 'portal_idle' },
        { name: 'statement_timeout', setting: '8000' },
      ]);
    });

    test('a backup behind PgBouncer uses the direct URL, and is rejected without one', async () => {
      const own = connectServer(pooledUrl, { connections: 2, isPooled: true });
      const path = join(folder, 'whole.backup');
      await expect(backUp(own, path, new Date())).rejects.toThrow('A backup needs DATABASE_DIRECT_URL');
      expect(existsSync(path)).toBe(false);
      expect(await backUp(database, path, new Date())).toMatchObject({ kind: 'server' });
      await own.close();
    });

    test('a start behind PgBouncer without DATABASE_PREPARED_STATEMENTS=off names the setting', async () => {
      expect(
        (await checkDatabase(readConfig({ ...testSettings, DATABASE_URL: pooledUrl }), { withKeys: true })).errors,
      ).toEqual([{ setting: 'DATABASE_URL', text: expect.stringContaining('set DATABASE_PREPARED_STATEMENTS=off') }]);
      const settings = {
        ...testSettings,
        DATABASE_URL: pooledUrl,
        DATABASE_DIRECT_URL: directUrl,
        DATABASE_PREPARED_STATEMENTS: 'off',
      };
      expect(await checkDatabase(readConfig(settings), { withKeys: true })).toEqual({ errors: [], warnings: [] });
    });
  });
