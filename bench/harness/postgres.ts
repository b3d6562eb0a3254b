import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

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

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

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

/**
 * Starts a server on loopback with its data in a folder, which is created if necessary.
 * @param at its port; by default a free one
 */
export async function startPostgres(folder: string, at?: number): Promise<Postgres> {
  const programs = findPrograms();
  const user = unprivilegedUser();
  mkdirSync(folder, { recursive: true });
  if (user.uid && user.gid) chownSync(folder, user.uid, user.gid);
  const options = { ...user, cwd: folder };
  const data = join(folder, 'data');
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const made = spawnSync(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
      {
        ...options,
        encoding: 'utf8',
      },
    );
    if (made.status !== 0) throw new Error(`initdb failed:\n${made.stderr}`);
  }
  const port = at ?? (await freePort());
  const settings = { ...SETTINGS, listen_addresses: '127.0.0.1', port, unix_socket_directories: '' };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...args], {
    ...options,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  server.stderr.on('data', (text) => (log = (log + text).slice(-4000)));
  for (let tries = 0; !log.includes('ready to accept connections'); tries += 1) {
    if (tries > 1200 || server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${log}`);
    await wait(100);
  }
  return {
    version: spawnSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout.trim(),
    url: (name = 'postgres', database = 'postgres') => `postgres://${name}@127.0.0.1:${port}/${database}`,
    async stop() {
      if (server.exitCode !== null) return;
      const ended = new Promise((resolve) => server.once('close', resolve));
      server.kill('SIGINT'); // fast shutdown
      await ended;
    },
  };
}
