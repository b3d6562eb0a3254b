// Runs on Node 20 before anything is installed, so it must not import packages.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const inModules = (...path) => join(root, 'node_modules', ...path);

/** The pinned version of Node. The machine's own version may be too old for the server. */
export const nodeBin = inModules('node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The command and first argument that run a package's command on the pinned Node. */
export const tool = (name) => [nodeBin, inModules('.bin', name)];

/**
 * The environment in which `node` is the pinned version, for commands that start others. The compile cache halves the
 * time of the next start.
 */
export const toolEnv = {
  ...process.env,
  PATH: [inModules('node', 'bin'), process.env.PATH].join(delimiter),
  NODE_COMPILE_CACHE: inModules('.cache', 'node'),
};

export const log = (text) => console.log(`› ${text}`);

/** A failure that the user can fix; shown without a stack. */
export class SetupError extends Error {}

export const showAndExit = (error) => {
  console.error(error instanceof SetupError ? `\n${error.message}` : error);
  process.exit(1);
};

/** Runs a command and returns its exit code. Termination by a signal counts as failure. */
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

/** Whether npm's record of node_modules has every version in the lock file. */
function modulesMatchLock() {
  const present = readJson(inModules('.package-lock.json'))?.packages;
  if (!present) return false;
  // Optional packages are for other platforms.
  return Object.entries(readJson(join(root, 'package-lock.json')).packages).every(
    ([path, entry]) => path === '' || entry.optional || present[path]?.version === entry.version,
  );
}

/** The environment without the project's node_modules in PATH, so that npm does not run on a Node that it replaces. */
const outsideEnv = () => ({
  ...process.env,
  PATH: process.env.PATH.split(delimiter)
    .filter((folder) => !folder.startsWith(inModules()))
    .join(delimiter),
});

/** Installs the packages of package-lock.json, unless they are installed. */
export async function installPackages() {
  if (Number(process.versions.node.split('.')[0]) < 20)
    throw new SetupError(`Node 20 or later is needed; this is ${process.version}.`);
  const start = performance.now();
  const env = outsideEnv();
  if (!modulesMatchLock()) {
    if (existsSync(inModules()) && lstatSync(join(root, 'node_modules')).isSymbolicLink())
      throw new SetupError(
        'node_modules is a link and lacks packages of package-lock.json: install them in its target.',
      );
    log('Installing packages (once, and after package-lock.json changed) …');
    // Warnings concern the Node that runs npm, not the pinned one that runs the packages. Errors are shown.
    const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-progress', '--yes'];
    const stdio = ['ignore', 'ignore', 'inherit'];
    if ((await run('npm', ['ci', '--include=dev', ...quiet], { env, stdio })) !== 0)
      throw new SetupError('`npm ci` failed: see the output above. Is the npm registry reachable?');
  }
  // If npm ignores install scripts, the binary has to be installed here.
  if (!existsSync(nodeBin))
    await run(process.execPath, ['installArchSpecificPackage.js'], { env, cwd: inModules('node') });
  if (!existsSync(nodeBin))
    throw new SetupError(
      'The Node that the project pins is missing: npm did not run the install script of the package `node`.\n' +
        'Fix it with: npm install-scripts approve node && npm rebuild node   (npm 10: npm rebuild node --ignore-scripts=false)',
    );
  if (performance.now() - start > 1000) log(`Packages are installed (${seconds(start)}).`);
}

const WEB_SOURCES = ['web', 'contract', 'content/help', 'vite.config.ts', 'package-lock.json'];

/** A hash of the content and not of file times, so that a fresh clone or another branch does not cause a build. */
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
    throw new SetupError('The web app could not be built: see the output above.');
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, hash);
  log(`The web app is built (${seconds(start)}).`);
}

/** Calls `stop` with the signal that ends the process. */
export function onStop(stop) {
  let last = -Infinity;
  const handle = (signal) => {
    // After Ctrl-C the signal arrives twice: from the terminal and from npm.
    if (performance.now() - last < 500) return;
    last = performance.now();
    stop(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, handle);
  // The shell between npm and this process ends on a signal without forwarding it.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    handle('SIGTERM');
  }, 500).unref();
}

/**
 * Runs commands until they are stopped, and stops all of them when one ends.
 * Returns the exit code of the first that ended.
 */
export function runTogether(commands) {
  return new Promise((resolve, reject) => {
    let firstCode;
    // In their own process groups, so that each gets the signal of Ctrl-C once, from here.
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
