import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { TIMEOUT_MS } from './report.ts';

/** Long, because a busy machine is slow to log in; the portal itself gives up on a database after 10 s. */
const REQUEST_TIMEOUT_MS = 120_000;

/** For all processes and commands of a portal. */
export const SECRETS_KEY = 'the-key-of-chaos-with-32-characters-or-more';

export const ROOT = resolve(import.meta.dirname, '../..');

/** The portal in a process of its own, which can be killed and started again. */
export class PortalProcess {
  readonly #env: Record<string, string>;
  readonly url: string;
  #child: ChildProcess | undefined;

  constructor(port: number, env: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#env = {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      STAGE: 'local',
      PORT: String(port),
      PUBLIC_URL: this.url,
      DEMO: 'on',
      LOG_LEVEL: 'silent',
      SECRETS_KEY,
      ...env,
    };
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Changes settings from the next start on. */
  configure(settings: Record<string, string>): void {
    Object.assign(this.#env, settings);
  }

  start(nodeOptions: readonly string[] = [], errors: 'inherit' | 'pipe' = 'inherit'): this {
    this.#child = spawn(process.execPath, [...nodeOptions, join(ROOT, 'server/src/main.ts')], {
      cwd: ROOT,
      env: this.#env,
      stdio: ['ignore', 'ignore', errors],
    });
    return this;
  }

  /** Starts a process that is expected to end by itself, and returns what it printed as an error. */
  async runToEnd(): Promise<{ code: number | null; output: string }> {
    this.start([], 'pipe');
    let output = '';
    this.#child?.stderr?.on('data', (text: Buffer) => (output += text.toString()));
    const ended = new Promise<number | null>((done) => this.#child?.once('close', done));
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), TIMEOUT_MS);
    const code = await ended;
    clearTimeout(timer);
    return { code, output };
  }

  async waitUntilReady(): Promise<this> {
    const start = performance.now();
    while ((await this.getStatus('/v1/health')) !== 200) {
      const { exitCode } = this.#child ?? {};
      if (typeof exitCode === 'number') throw new Error(`The portal exited with code ${exitCode} while starting.`);
      if (performance.now() - start > TIMEOUT_MS) throw new Error('The portal did not start.');
      await wait(100);
    }
    return this;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!this.isRunning) return;
    const ended = new Promise((done) => this.#child?.once('exit', done));
    this.#child?.kill(signal);
    await ended;
  }

  /** Kills the process and starts another, without waiting until it serves. */
  async restart(nodeOptions: readonly string[] = []): Promise<void> {
    await this.end('SIGKILL');
    this.start(nodeOptions);
  }

  async request(
    path: string,
    body?: object,
    token?: string,
  ): Promise<{ status: number; reply: Record<string, unknown> }> {
    const response = await fetch(this.url + path, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return { status: response.status, reply: (await response.json()) as Record<string, unknown> };
  }

  /** The status of the response; 0 without a response. */
  getStatus = (path: string, body?: object, token?: string): Promise<number> =>
    this.request(path, body, token).then(
      ({ status }) => status,
      () => 0,
    );
}
