import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, Program } from './program.ts';

/** For 24 GiB of memory and two cores. Durability settings keep their defaults, which are on. */
export const SETTINGS = {
  shared_buffers: '6GB',
  effective_cache_size: '16GB',
  work_mem: '32MB',
  maintenance_work_mem: '1GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '30min',
  wal_buffers: '64MB',
  random_page_cost: '1.1',
  effective_io_concurrency: '200',
  jit: 'off',
  max_connections: '100',
};

/** A running server. By default `url` is for the superuser and the database `postgres`. */
export interface Postgres {
  version: string;
  url(user?: string, database?: string): string;
  stop(): Promise<void>;
}

/** Runs statements on a connection of their own and returns the rows of a single one. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<Row>(text, values);
    return result.rows ?? [];
  } finally {
    await client.end();
  }
}

/** Debian installs the server's programs outside PATH. */
function findPrograms(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')));
  if (!found) throw new Error('PostgreSQL is not installed: install the package postgresql.');
  return found;
}

/** PostgreSQL does not run as root. Root starts it as the user postgres. */
function unprivilegedUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Starts a server on loopback with its data in a folder, which is created if necessary. */
export async function startPostgres(folder: string, at?: number): Promise<Postgres> {
  const programs = findPrograms();
  const user = unprivilegedUser();
  mkdirSync(folder, { recursive: true });
  if (user.uid && user.gid) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const words = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
    const made = spawnSync(join(programs, 'initdb'), words, { ...user, cwd: folder, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`initdb failed:\n${made.stderr}`);
  }
  const port = at ?? (await freePort());
  const settings = { ...SETTINGS, listen_addresses: '127.0.0.1', port, unix_socket_directories: '' };
  const words = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const log = join(folder, 'log');
  const server = new Program('PostgreSQL', join(programs, 'postgres'), words, { user, cwd: folder, log });
  const url = (name = 'postgres', database = 'postgres') => `postgres://${name}@127.0.0.1:${port}/${database}`;
  try {
    await server.waitUntilReady(() =>
      query(url(), 'select 1').then(
        () => true,
        () => false,
      ),
    );
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8').slice(-4000)}`, { cause: error });
  }
  return {
    version: spawnSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout.trim(),
    url,
    async stop() {
      server.kill('SIGINT'); // fast shutdown
      await server.waitForEnd();
    },
  };
}
