import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export const ROOT = resolve(import.meta.dirname, '../..');

/** How long anything may take: far more than it needs on a busy machine. */
const MAX_WAIT_MS = 120_000;
const PAUSE_MS = 50;

/** Waits until `isDone` returns true. Throws after two minutes. */
export async function waitUntil(what: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`Not within ${MAX_WAIT_MS / 1000} seconds: ${what}.`);
    await wait(PAUSE_MS);
  }
}

const isReachable = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });

const running = new Set<ChildProcess>();

/** A program whose output is added to a file. */
export class Program {
  readonly #child: ChildProcess;
  readonly #name: string;

  constructor(name: string, command: string, words: readonly string[], env: Record<string, string>, log: string) {
    this.#name = name;
    const output = openSync(log, 'a');
    this.#child = spawn(command, words, { cwd: ROOT, env, stdio: ['ignore', output, output] });
    closeSync(output);
    running.add(this.#child);
    this.#child.once('exit', () => running.delete(this.#child));
    this.#child.once('error', (error) => console.error(`${name}: ${error.message}`));
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits for the end and throws unless the exit code is 0. */
  async waitForEnd(): Promise<void> {
    await waitUntil(`${this.#name} ends`, () => this.hasEnded);
    if (this.#child.exitCode !== 0)
      throw new Error(`${this.#name} ended with ${this.#child.signalCode ?? this.#child.exitCode}.`);
  }

  /** Waits until the port accepts connections. Throws when the program ends before. */
  async waitUntilReachable(port: number): Promise<void> {
    await waitUntil(`${this.#name} listens`, () => {
      if (this.hasEnded) throw new Error(`${this.#name} ended at its start.`);
      return isReachable(port);
    });
  }

  /** Waits until the URL answers 200. Throws when the program ends before. */
  async waitUntilHealthy(url: string): Promise<void> {
    await waitUntil(`${this.#name} answers`, async () => {
      if (this.hasEnded) throw new Error(`${this.#name} ended at its start.`);
      return fetch(url).then(
        ({ status }) => status === 200,
        () => false,
      );
    });
  }
}

/** Ends everything that still runs, so that no process outlives this one. */
export async function killAll(): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  await waitUntil('all processes end', () => running.size === 0);
}
