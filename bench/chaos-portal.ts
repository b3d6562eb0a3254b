import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '..');
/** A recovery that takes longer is none. */
export const LONGEST_RECOVERY_MS = 60_000;
/** How long is waited for one all the same, so that a machine that does other work gets a whole table. */
export const PATIENCE_MS = 300_000;

/** The portal in a process of its own, which can be killed and started again. */
export class Portal {
  readonly #env: Record<string, string>;
  readonly url: string;
  #child: ChildProcess | undefined;
  constructor(port: number, env: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#env = {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      PORT: String(port),
      DEMO: 'on',
      LOG_LEVEL: 'silent',
      ...env,
    };
  }
  start(): this {
    this.#child = spawn(process.execPath, [join(ROOT, 'server/src/main.ts')], {
      cwd: ROOT,
      env: this.#env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return this;
  }
  async ready(): Promise<this> {
    const begin = performance.now();
    while ((await this.status('/v1/health')) !== 200) {
      const { exitCode } = this.#child ?? {};
      if (typeof exitCode === 'number') throw new Error(`The portal ended with ${exitCode} instead of starting.`);
      if (performance.now() - begin > PATIENCE_MS) throw new Error('The portal did not start.');
      await wait(100);
    }
    return this;
  }
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await ended;
  }
  async ask(path: string, body?: object, token?: string): Promise<{ status: number; reply: Record<string, unknown> }> {
    const answer = await fetch(this.url + path, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      signal: AbortSignal.timeout(30_000),
    });
    return { status: answer.status, reply: (await answer.json()) as Record<string, unknown> };
  }
  status = (path: string, body?: object, token?: string): Promise<number> =>
    this.ask(path, body, token).then(
      ({ status }) => status,
      () => 0,
    );
}

/** As many that none of them comes to the limit of a pupil's handing in (120 times in 300 s), whatever is refused. */
const PUPILS = 80;
const AT_ONCE = 3;
/** At most 30 requests a second: 113 of each pupil in 300 s. */
const BETWEEN_MS = 100;

/** Pupils who hand in reading sessions, three at once without end, and what was acknowledged of them. */
export class Readers {
  readonly acknowledged = new Set<string>();
  /** Whose each session is. */
  readonly owner = new Map<string, string>();
  refused = 0;
  #lastSuccess = 0;
  #isOver = false;
  #turn = 0;
  #work: Promise<void>[] = [];
  readonly #portal: Portal;
  tokens: string[] = [];
  constructor(portal: Portal) {
    this.#portal = portal;
  }
  async begin(): Promise<void> {
    for (let n = 1; n <= PUPILS; n += 1) {
      const { status, reply } = await this.#portal.ask('/v1/reader/auth', {
        username: `demo-pupil-${n}`,
        password: 'reading-1',
      });
      if (status !== 200) throw new Error(`demo-pupil-${n} could not log in: ${status} ${JSON.stringify(reply)}`);
      this.tokens.push((reply.meta as { token: string }).token);
    }
    this.#work = Array.from({ length: AT_ONCE }, () => this.#read());
  }
  async #read(): Promise<void> {
    while (!this.#isOver) {
      const token = this.tokens[this.#turn % PUPILS]!;
      this.#turn += 1;
      const id = randomUUID();
      if ((await this.#portal.status('/v1/reader/sessions', { sessions: [session(id)] }, token)) === 200) {
        this.acknowledged.add(id);
        this.owner.set(id, token);
        this.#lastSuccess = performance.now();
      } else this.refused += 1;
      await wait(BETWEEN_MS);
    }
  }
  /** Milliseconds from now to the next acknowledged write. */
  async recovery(): Promise<number> {
    const begin = performance.now();
    while (this.#lastSuccess <= begin && performance.now() - begin < PATIENCE_MS) await wait(20);
    return performance.now() - begin;
  }
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
  }
}

export const session = (id: string) => ({
  id,
  book_id: 101,
  started_at: new Date(Date.now() - 60_000).toISOString(),
  reading_time: 60,
  last_page: 1,
  words_attempted: 10,
  words_correct: 9,
  has_completed_book: false,
  heatmap: [1],
  played_words: [],
  skipped_words: [],
});
