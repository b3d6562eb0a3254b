import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Far more than anything needs on a busy machine. */
const MAX_WAIT_MS = 180_000;
const PAUSE_MS = 50;
/** Linux counts a process's time in ticks of this many milliseconds. */
const TICK_MS = 10;

/** Waits until `isDone` returns true. Throws after three minutes. */
export async function waitUntil(what: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`Not within ${MAX_WAIT_MS / 1000} seconds: ${what}.`);
    await wait(PAUSE_MS);
  }
}

/** Makes a folder that is deleted at the end of this process. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  // PostgreSQL and the workers of nginx have accounts of their own.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });

const isReachable = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });

const running = new Set<ChildProcess>();

interface ProgramOptions {
  env?: Record<string, string>;
  /** The file that receives the output. Without one, errors are printed. */
  log?: string | undefined;
  cwd?: string;
  /** The user who runs it, where that is another one. */
  user?: { uid?: number; gid?: number };
}

/** A program that runs beside this one. */
export class Program {
  readonly #child: ChildProcess;
  readonly #name: string;

  constructor(
    name: string,
    command: string,
    words: readonly string[],
    { env, log, cwd = ROOT, user }: ProgramOptions = {},
  ) {
    this.#name = name;
    const output = log ? openSync(log, 'a') : undefined;
    this.#child = spawn(command, words, {
      ...user,
      cwd,
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: output ? ['ignore', output, output] : ['ignore', 'ignore', 'inherit'],
      // Ctrl+C in a terminal ends this process, which then ends its programs.
      detached: true,
    });
    if (output) closeSync(output);
    running.add(this.#child);
    this.#child.once('exit', () => running.delete(this.#child));
    this.#child.once('error', (error) => console.error(`${name}: ${error.message}`));
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined;
  }

  /** The processor time of all its threads in milliseconds, which no other process on the machine affects. */
  processorTime(): number {
    // Fields 14 and 15 (user and system) of proc_pid_stat(5), after the name, which can contain spaces.
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits for the end. Throws unless the exit code is 0 or it was killed by SIGKILL. */
  async waitForEnd(): Promise<void> {
    await waitUntil(`${this.#name} ends`, () => this.hasEnded);
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== 0 && signalCode !== 'SIGKILL')
      throw new Error(`${this.#name} ended with ${signalCode ?? exitCode}.`);
  }

  /** Waits until `isReady` returns true. Throws if the program ends before. */
  async waitUntilReady(isReady: () => Promise<boolean>): Promise<void> {
    await waitUntil(`${this.#name} is ready`, () => {
      if (this.hasEnded) throw new Error(`${this.#name} ended at its start.`);
      return isReady();
    });
  }

  waitUntilListening = (port: number): Promise<void> => this.waitUntilReady(() => isReachable(port));
}

/** Ends every program that still runs. */
export async function killAll(): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  await waitUntil('all programs end', () => running.size === 0);
}

/** Cleans up before a signal ends this process. */
export function cleanUpOnSignal(cleanUp: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}
