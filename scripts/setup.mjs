// Runs on plain Node 20 before anything is installed: no package may be imported here.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const inModules = (...path) => join(root, 'node_modules', ...path);

/** The Node that the project pins; the one on the machine may be too old for the server. */
export const nodeBin = inModules('node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** What to spawn to run a package's command on the pinned Node: `[command, firstArgument]`. */
export const tool = (name) => [nodeBin, inModules('.bin', name)];

/**
 * Environment in which `node` means the pinned one, for commands that start others. It keeps what it compiled and
 * stripped of types: the next start takes half the time.
 */
export const toolEnv = {
  ...process.env,
  PATH: [inModules('node', 'bin'), process.env.PATH].join(delimiter),
  NODE_COMPILE_CACHE: inModules('.cache', 'node'),
};

export const log = (text) => console.log(`› ${text}`);

/** A failure that a person can mend; shown without a stack. */
export class SetupError extends Error {}

export const showAndExit = (error) => {
  console.error(error instanceof SetupError ? `\n${error.message}` : error);
  process.exit(1);
};

/** Runs a command to its end. Resolves to its exit code; a death by signal counts as failure. */
export function run(command, args, { onStart, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: toolEnv, ...options });
    onStart?.(child);
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);

/** True when npm's own record of node_modules has every version of the lock file. */
function modulesMatchLock() {
  const present = readJson(inModules('.package-lock.json'))?.packages;
  if (!present) return false;
  // Optional packages are those of other platforms.
  return Object.entries(readJson(join(root, 'package-lock.json')).packages).every(
    ([path, entry]) => path === '' || entry.optional || present[path]?.version === entry.version,
  );
}

/** The environment without our own node_modules in PATH: npm must not run on a Node that it is replacing. */
const outsideEnv = () => ({
  ...process.env,
  PATH: process.env.PATH.split(delimiter)
    .filter((folder) => !folder.startsWith(inModules()))
    .join(delimiter),
});

/** Installs what package-lock.json says, unless it is there already. */
export async function installPackages() {
  if (Number(process.versions.node.split('.')[0]) < 20)
    throw new SetupError(`Node 20 or later is needed; this is ${process.version}.`);
  const start = performance.now();
  const env = outsideEnv();
  if (!modulesMatchLock()) {
    if (existsSync(inModules()) && lstatSync(join(root, 'node_modules')).isSymbolicLink())
      throw new SetupError('node_modules is a link and lacks packages of package-lock.json: install where it points.');
    log('Installing packages (once, and after package-lock.json changed) …');
    // Its warnings are of the Node that runs npm, which is not the Node that runs the packages; errors are shown.
    const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-progress', '--yes'];
    const stdio = ['ignore', 'ignore', 'inherit'];
    if ((await run('npm', ['ci', '--include=dev', ...quiet], { env, stdio })) !== 0)
      throw new SetupError('`npm ci` failed: see the lines above. Is the npm registry reachable?');
  }
  // Where npm is set to ignore install scripts, the binary has not been put in its place.
  if (!existsSync(nodeBin))
    await run(process.execPath, ['installArchSpecificPackage.js'], { env, cwd: inModules('node') });
  if (!existsSync(nodeBin))
    throw new SetupError(
      'The Node that the project pins is missing: npm did not run the install script of the package `node`.\n' +
        'Mend it with: npm install-scripts approve node && npm rebuild node   (npm 10: npm rebuild node --ignore-scripts=false)',
    );
  if (performance.now() - start > 1000) log(`Packages are installed (${seconds(start)}).`);
}

const WEB_SOURCES = ['web', 'contract', 'content/help', 'vite.config.ts', 'package-lock.json'];

/** Of the content, not of the times of files: a fresh clone or a change of branch must not build in vain. */
function hashOfWebSources() {
  const hash = createHash('sha256');
  const add = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) add(`${path}/${name}`);
    } else hash.update(`\0${path}\0`).update(readFileSync(full));
  };
  WEB_SOURCES.forEach(add);
  return hash.digest('hex');
}

/** Builds the web app into dist/, unless dist/ was built from the same sources. */
export async function buildWeb() {
  const stamp = join(root, 'dist', '.built-from');
  const hash = hashOfWebSources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  const start = performance.now();
  log('Building the web app (once, and after web/ or contract/ changed) …');
  const [command, vite] = tool('vite');
  const env = { ...toolEnv, NODE_ENV: 'production' };
  if ((await run(command, [vite, 'build', '--logLevel', 'warn'], { env })) !== 0)
    throw new SetupError('The web app could not be built: see the lines above.');
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, hash);
  log(`The web app is built (${seconds(start)}).`);
}

/** Calls `stop` with the signal that asks us to end. */
export function onStop(stop) {
  let last = -Infinity;
  const handle = (signal) => {
    // Of a Ctrl-C the terminal tells us, and npm tells us once more.
    if (performance.now() - last < 500) return;
    last = performance.now();
    stop(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, handle);
  // The shell that npm puts between dies of a signal without passing it on.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    handle('SIGTERM');
  }, 500).unref();
}

/**
 * Starts commands that run until they are told to stop, and stops all when one ends.
 * Resolves to the exit code of the first that ended.
 */
export function runTogether(commands) {
  return new Promise((resolve, reject) => {
    let firstCode;
    // In process groups of their own, so that a Ctrl-C reaches each once, through us.
    const children = commands.map(([command, args, env]) =>
      spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...toolEnv, ...env }, detached: true }),
    );
    const running = new Set(children);
    const stop = (signal) => running.forEach((child) => child.kill(signal));
    onStop(stop);
    for (const child of children) {
      child.once('error', reject);
      child.once('close', (code) => {
        firstCode ??= code ?? 1;
        running.delete(child);
        if (running.size > 0) stop('SIGTERM');
        else resolve(firstCode);
      });
    }
  });
}
