import { PGlite } from '@electric-sql/pglite';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { journeySettings } from '../server/src/testing/test-settings.ts';

/**
 * A portal with the demonstration schools, in its own data folder and database: on the PostgreSQL server in
 * E2E_DATABASE_URL, which `npm test` sets, or embedded.
 */
export interface Portal {
  url: string;
  folder: string;
  /** Runs `npm run operator -- …` and returns its output. */
  operator(...words: string[]): Promise<string>;
  /** Changes the database, for example to simulate the passing of time. */
  edit(sql: string): Promise<void>;
  /** Stops or restarts the database; absent for the embedded one. */
  setDatabaseAway?: (isAway: boolean) => Promise<void>;
  stop(): Promise<void>;
}

/** The folder, and on a server the database, prepared by global-setup.ts; each portal starts with a copy. */
const PREPARED = 'PORTAL_PREPARED_DATA';
const PREPARED_DATABASE = 'PORTAL_PREPARED_DATABASE';

/** Runs SQL on a database of the PostgreSQL server. */
async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A portal's storage. Only one process can use the embedded database, so the portal stops while others use it. */
interface Storage {
  databaseUrl: string;
  /** Runs work on the database from outside the portal. */
  beside<T>(portal: { rest: () => Promise<void>; start: () => Promise<void> }, work: () => Promise<T>): Promise<T>;
  edit(sql: string): Promise<void>;
  setAway?: (isAway: boolean) => Promise<void>;
  remove(): Promise<void>;
}

function embeddedStorage(folder: string): Storage {
  return {
    databaseUrl: '',
    beside: async ({ rest, start }, work) => {
      await rest();
      try {
        return await work();
      } finally {
        await start();
      }
    },
    edit: async (sql) => {
      const database = await PGlite.create({ dataDir: join(folder, 'postgres') });
      await database.exec(sql);
      await database.close();
    },
    remove: async () => undefined,
  };
}

async function serverStorage(server: string, template = 'template0'): Promise<Storage> {
  const name = `journeys_${randomBytes(6).toString('hex')}`;
  await runSql(server, `create database ${name} template ${template}`);
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  return {
    databaseUrl,
    beside: (_portal, work) => work(),
    edit: (sql) => runSql(databaseUrl, sql),
    setAway: async (isAway) => {
      await runSql(server, `alter database ${name} with allow_connections ${!isAway}`);
      if (isAway)
        await runSql(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    },
    remove: () => runSql(server, `drop database ${name} with (force)`),
  };
}

export const freePort = (): Promise<number> =>
  new Promise((done) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Loads the demonstration schools once for all portals of a run. */
export async function prepareData(): Promise<() => Promise<void>> {
  const portal = await startPortal();
  await portal.rest();
  process.env[PREPARED] = portal.folder;
  if (portal.databaseUrl) process.env[PREPARED_DATABASE] = new URL(portal.databaseUrl).pathname.slice(1);
  return portal.stop;
}

/**
 * @param more additional settings
 * @param isEmpty a newcomer's first start: without the demonstration schools, on the embedded database
 * @param root the folder in which the portal is installed
 */
export async function startPortal(
  more: Record<string, string> = {},
  { isEmpty = false, root = resolve(import.meta.dirname, '..') } = {},
): Promise<Portal & { databaseUrl: string; rest: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-journeys-'));
  const prepared = process.env[PREPARED];
  if (prepared && !isEmpty) cpSync(prepared, folder, { recursive: true });
  const databaseServer = process.env.E2E_DATABASE_URL;
  const storage =
    databaseServer && !isEmpty
      ? await serverStorage(databaseServer, process.env[PREPARED_DATABASE])
      : embeddedStorage(folder);
  const port = await freePort();
  // Not an IP address: passkeys belong to a host name.
  const url = `http://localhost:${port}`;
  const settings = {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      PUBLIC_URL: url,
      DATABASE_URL: storage.databaseUrl,
      DEMO: isEmpty ? 'off' : 'on',
      SMTP_URL: '',
      ...journeySettings,
      ...more,
    },
  };
  let server: ChildProcess;
  const start = async () => {
    server = spawn(process.execPath, ['server/src/main.ts'], { ...settings, stdio: ['ignore', 'pipe', 'pipe'] });
    await listening(server);
  };
  const rest = async () => {
    if (server.exitCode !== null) return;
    const ended = new Promise((done) => server.once('exit', done));
    server.kill('SIGTERM');
    await ended;
  };
  await start();
  return {
    url,
    folder,
    databaseUrl: storage.databaseUrl,
    rest,
    operator: (...words) =>
      storage.beside({ rest, start }, async () => {
        const { stdout } = await promisify(execFile)(
          process.execPath,
          ['server/src/commands/operator.ts', ...words],
          settings,
        );
        return stdout.trim();
      }),
    edit: (sql) => storage.beside({ rest, start }, () => storage.edit(sql)),
    ...(storage.setAway && { setDatabaseAway: storage.setAway }),
    stop: async () => {
      await rest();
      await storage.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves once a portal that was started listens. */
export function listening(server: ChildProcess): Promise<void> {
  let output = '';
  return new Promise((done, fail) => {
    const read = (text: Buffer) => {
      output += text.toString();
      if (output.includes('API reference')) done();
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    // Its last output may arrive after its exit.
    server.once('close', (code, signal) =>
      fail(new Error(`The portal ended before it was there (${signal ?? code}):\n${output}`)),
    );
  });
}
