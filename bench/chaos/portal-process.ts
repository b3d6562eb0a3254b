import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { TIMEOUT_MS } from './report.ts';

/** Long, because a busy machine is slow to log in; the portal itself gives up on a database after 10 s. */
const REQUEST_TIMEOUT_MS = 120_000;

export const ROOT = resolve(import.meta.dirname, '../..');

/** For the portal and for commands on its database. */
export const CHAOS_KEY = 'a-key-of-chaos-alone-of-more-than-32-characters';

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
      PORT: String(port),
      PUBLIC_URL: this.url,
      DEMO: 'on',
      SECRETS_KEY: CHAOS_KEY,
      LOG_LEVEL: 'silent',
      ...env,
    };
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  start(nodeOptions: readonly string[] = []): this {
    this.#child = spawn(process.execPath, [...nodeOptions, join(ROOT, 'server/src/main.ts')], {
      cwd: ROOT,
      env: this.#env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return this;
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
