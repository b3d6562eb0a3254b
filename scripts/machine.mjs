// What the tests need from the machine besides Node: a PostgreSQL server, browsers and proxies.
import { spawn, spawnSync } from 'node:child_process';
import fs, { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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

const onDisk = (path) => (existsSync(path) ? path : undefined);

/** One installation at a time, because apt-get fails while another one holds its lock. */
let lastInstall = Promise.resolve();
const aptInstall = (what, ...names) => {
  lastInstall = lastInstall.catch(() => undefined).then(() => installNow(what, names));
  return lastInstall;
};

/** Installs Debian packages; `what` is their name in messages. */
async function installNow(what, names) {
  const sudo = isRoot ? [] : ['sudo', '-n'];
  const cannotInstall = !onPath(['apt-get']) || (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0);
  if (cannotInstall)
    throw new SetupError(
      `${what} is not installed, and installing it needs apt-get as root or with sudo.\n` +
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
  // An outdated list of one source must not prevent the installation.
  await apt('update');
  if ((await apt('install', '-y', '--no-install-recommends', ...names)) !== 0)
    throw new SetupError(`apt-get could not install ${names.join(' ')}: see the output above.`);
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
 * The path of Chromium or Chrome, which is installed if necessary. The headless shell comes first, because it needs about
 * half the processor time.
 */
export async function provideChromium() {
  if (!findChromium())
    await aptInstall('Chromium', 'chromium-headless-shell').catch(() => aptInstall('Chromium', 'chromium'));
  return findChromium();
}

/** Installs the libraries that an old Chromium needs. */
export const provideChromiumLibraries = () => aptInstall("Chromium's libraries", 'libnss3', 'libexpat1');

const findFirefox = () => process.env.FIREFOX_PATH ?? onPath(['firefox-esr', 'firefox']);

/** The path of Firefox, which is installed if necessary. */
export async function provideFirefox() {
  if (!findFirefox()) await aptInstall('Firefox', 'firefox-esr');
  return findFirefox();
}

/** WebKitGTK's programs for tests; its small browser is in a folder of its version. */
function findWebKit() {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu')) : [];
  const browser = folders
    .flatMap((folder) =>
      readdirSync(join('/usr/lib', folder))
        .filter((name) => name.startsWith('webkit2gtk-'))
        .map((name) => join('/usr/lib', folder, name, 'MiniBrowser')),
    )
    .find((path) => existsSync(path));
  const driver = onPath(['WebKitWebDriver']);
  const display = onPath(['Xvfb']);
  return browser && driver && display ? { browser, driver, display } : undefined;
}

/** The paths of WebKitGTK's browser and driver and of an X server without a screen, which are installed if necessary. */
export async function provideWebKit() {
  if (!findWebKit()) await aptInstall('WebKitGTK', 'webkit2gtk-driver', 'xvfb');
  return findWebKit();
}

/** Debian installs nginx outside the PATH of an account without root's permissions. */
const findProxies = () => {
  const [nginx, caddy, openssl] = [
    onPath(['nginx']) ?? onDisk('/usr/sbin/nginx'),
    onPath(['caddy']),
    onPath(['openssl']),
  ];
  return nginx && caddy && openssl ? { nginx, caddy } : undefined;
};

/** The paths of nginx and Caddy, which are installed if necessary. */
export async function provideProxies() {
  if (!findProxies()) await aptInstall('nginx and Caddy', 'nginx-light', 'caddy', 'openssl');
  return findProxies();
}

/** Installs what the examples of docs/programs.md run with, if necessary. */
export async function provideExamplePrograms() {
  if (!onPath(['curl']) || !onPath(['python3'])) await aptInstall('curl and Python', 'curl', 'python3');
}

/** The folder of PostgreSQL's server programs, which Debian installs outside PATH. */
function findPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...process.env.PATH.split(delimiter)];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** Every Linux has an unprivileged user and group with this ID. */
const OVERFLOW_ID = 65_534;

/** The user that runs the temporary PostgreSQL server, because PostgreSQL does not run as root. */
function unprivilegedUser() {
  if (!isRoot) return {};
  const idOf = (option) => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  const user = { uid: idOf('-u'), gid: idOf('-g') };
  return user.uid > 0 ? user : { uid: OVERFLOW_ID, gid: OVERFLOW_ID };
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

/** Prefers memory, because each test file creates and deletes a database of about 700 files. */
function throwAwayFolder() {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = fs.statfsSync(memory);
    if (bavail * bsize > MEMORY_ENOUGH_BYTES) return memory;
  } catch {
    // Does not exist on this system.
  }
  return tmpdir();
}

/**
 * Starts an empty PostgreSQL server on loopback for the duration of the tests.
 * Its data are temporary, so it never waits for the disk.
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
    // Detached, so that Ctrl-C does not end it before the tests that use it.
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
