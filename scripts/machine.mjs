// What the tests want from the machine besides Node: a PostgreSQL server and Chromium.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { run, log, SetupError } from './setup.mjs';

const isRoot = process.getuid?.() === 0;

const onPath = (names) =>
  names
    .flatMap((name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)))
    .find((path) => existsSync(path));

/** One at a time: apt-get waits for nobody. */
let lastInstall = Promise.resolve();
const aptInstall = (what, name) => {
  lastInstall = lastInstall.catch(() => undefined).then(() => installNow(what, name));
  return lastInstall;
};

/** Installs a Debian package; `what` names it for a person. */
async function installNow(what, name) {
  const sudo = isRoot ? [] : ['sudo', '-n'];
  const refused = !onPath(['apt-get']) || (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0);
  if (refused)
    throw new SetupError(
      `${what} is not on this machine and cannot be installed from here (that takes apt-get, as root or with sudo).\n` +
        `Install ${what} and run npm test again.`,
    );
  log(`Installing ${what} from the distribution's packages …`);
  const apt = async (...args) => {
    const [command, ...rest] = [
      ...sudo,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-q',
      '-o',
      'DPkg::Lock::Timeout=300',
      ...args,
    ];
    return run(command, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  // A stale list of one source must not stop an install that would work.
  await apt('update');
  if ((await apt('install', '-y', '--no-install-recommends', name)) !== 0)
    throw new SetupError(`apt-get could not install ${name}: see the lines above.`);
}

const findChromium = () => {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return (
    onPath(['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) ??
    (existsSync(mac) ? mac : undefined)
  );
};

/**
 * The path of a Chromium or Chrome, installed if need be. Its headless shell comes first: without windows and their
 * compositor the journeys take about half the processor time.
 */
export async function provideChromium() {
  if (!findChromium())
    await aptInstall('Chromium', 'chromium-headless-shell').catch(() => aptInstall('Chromium', 'chromium'));
  return findChromium();
}

/** The folder of PostgreSQL's server programs; Debian keeps them out of PATH. */
function findPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...process.env.PATH.split(delimiter)];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** PostgreSQL refuses to run as root: the owner of the throw-away cluster. */
function unprivilegedUser() {
  if (!isRoot) return {};
  for (const name of ['postgres', 'nobody']) {
    const idOf = (option) => Number(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout.trim() || NaN);
    const user = { uid: idOf('-u'), gid: idOf('-g') };
    if (user.uid > 0) return user;
  }
  throw new SetupError('PostgreSQL does not run as root, and this machine has no user postgres or nobody.');
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const MEMORY_ENOUGH_BYTES = 4e9;

/** In memory, where it has room: each test file makes a database of some 700 files, and removes it. */
function throwAwayFolder() {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize > MEMORY_ENOUGH_BYTES) return memory;
  } catch {
    // Not on this system.
  }
  return tmpdir();
}

/**
 * Starts an empty PostgreSQL server on loopback that lives as long as the tests.
 * Nothing in it is worth keeping, so it never waits for the disk.
 */
export async function startPostgres() {
  if (!findPostgres()) await aptInstall('PostgreSQL', 'postgresql');
  const programs = findPostgres();
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(throwAwayFolder(), 'portal-postgres-'));
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder };
  if (user.uid) chownSync(folder, user.uid, user.gid);
  let server;
  const stop = async () => {
    if (server?.exitCode === null) {
      const ended = new Promise((resolve) => server.once('close', resolve));
      server.kill('SIGINT'); // its word for "end the connections and stop"
      await Promise.race([ended, wait(5000).then(() => server.kill('SIGQUIT'))]);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
    const made = spawnSync(join(programs, 'initdb'), init, { ...options, encoding: 'utf8' });
    if (made.status !== 0) throw new SetupError(`initdb failed:\n${made.stderr}`);
    const port = await freePort();
    const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: folder, max_connections: 200 };
    const unsafe = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
    const args = Object.entries({ ...settings, ...unsafe }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // Detached: a Ctrl-C must not end it before the tests that use it.
    server = spawn(join(programs, 'postgres'), ['-D', data, ...args], {
      ...options,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    server.stderr.on('data', (text) => (output = (output + text).slice(-4000)));
    for (let tries = 0; !output.includes('ready to accept connections'); tries += 1) {
      if (tries > 1200 || server.exitCode !== null) throw new SetupError(`PostgreSQL did not start:\n${output}`);
      await wait(100);
    }
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
