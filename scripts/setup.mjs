// Runs on Node 20 before anything is installed, so it must not import packages.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const inModules = (...path) => join(root, 'node_modules', ...path);

/** A folder for what the installation downloads and records, and for Node's compile cache. */
export const inCache = (...path) => join(root, '.cache', ...path);

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
  NODE_COMPILE_CACHE: inCache('node'),
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

export const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);

const parent = process.ppid;

/** Calls `stop` with the signal that ends the process, until the returned function is called. */
export function onStop(stop) {
  let last = -Infinity;
  const handle = (signal) => {
    // After Ctrl-C the signal arrives twice: from the terminal and from npm.
    if (performance.now() - last < 500) return;
    last = performance.now();
    stop(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, handle);
  // The shell between npm and this process ends on a signal without forwarding it.
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    handle('SIGTERM');
  }, 500).unref();
  return () => {
    clearInterval(watch);
    for (const signal of signals) process.off(signal, handle);
  };
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
